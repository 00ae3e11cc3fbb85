//! A simulation for eyes: a row for each second, and one line about all of it.

use std::io::{self, Write};

use super::{Course, Row};
use crate::scene::SimulateScene;
use crate::table::{MOST_ROWS, duration, plain, plural, short};

/// Writes the table.
pub(super) fn write(scene: &SimulateScene, course: &Course, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}\n", plain(scene.title()))?;
    writeln!(out, "     time  impacts  contacts  moving  asleep  kinetic energy")?;
    for row in course.rows.iter().take(MOST_ROWS) {
        write_row(row, out)?;
    }
    if let (Some(more @ 1..), Some(last)) =
        (course.rows.len().checked_sub(MOST_ROWS), course.rows.last())
    {
        writeln!(out, "      ... and {more} more, the last of them")?;
        write_row(last, out)?;
    }
    writeln!(out, "\n{}", summary(scene, course))?;
    for overlap in course.overlaps.iter().take(MOST_ROWS) {
        let [a, b] = overlap.bodies.map(|body| plain(scene.name(body)));
        writeln!(out, "{a} and {b} overlap at {:.4} s", overlap.time)?;
    }
    Ok(())
}

fn write_row(row: &Row, out: &mut dyn Write) -> io::Result<()> {
    let Row { time, impacts, contacts, moving, asleep, kinetic } = row;
    let kinetic = short(*kinetic);
    writeln!(
        out,
        "  {time:5.2} s  {impacts:7}  {contacts:8}  {moving:6}  {asleep:6}  {kinetic:>14}"
    )
}

fn summary(scene: &SimulateScene, course: &Course) -> String {
    let waits = match course.waits {
        0 => String::new(),
        count => format!(", {}", plural(count, "wait")),
    };
    let simulated = course.world.time();
    let share = course.took.as_secs_f64() / simulated;
    let checked = plural(course.checked as usize, "frame");
    format!(
        "{} in {}: {}{waits}; {} in {checked} looked at; {simulated:.2} s took {}, {:.0} % of real time",
        plural(scene.names().len(), "body"),
        plural(scene.steps() as usize, "step"),
        plural(course.impacts, "impact"),
        plural(course.overlaps.len(), "overlap"),
        duration(course.took),
        100.0 * share,
    )
}
