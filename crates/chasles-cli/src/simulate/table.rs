//! A simulation for eyes: a row for each second, and one line about all of it.

use std::io::{self, Write};

use chasles_scene::SimulateScene;

use super::check::{Findings, LeftOut};
use super::course::{Course, Row};
use crate::room::{MOST_ROWS, Room};
use crate::words::{duration, listed, plain, plural, short};

/// Writes the table.
pub(super) fn write(
    scene: &SimulateScene,
    course: &Course,
    room: Room,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "{}\n", plain(scene.title()))?;
    writeln!(out, "     time  impacts  contacts  moving  asleep  kinetic energy, J")?;
    for row in course.rows.iter().take(room.rows) {
        write_row(row, out)?;
    }
    if let (Some(more @ 1..), Some(last)) =
        (course.rows.len().checked_sub(room.rows), course.rows.last())
    {
        writeln!(out, "      ... and {more} more, the last of them")?;
        write_row(last, out)?;
    }
    writeln!(out)?;
    // Before the line that counts all others.
    let lines = left_out(scene, &course.findings);
    lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    writeln!(out, "{}", summary(scene, course))?;
    if course.film.is_some() && !scene.sheets().is_empty() {
        let names: Vec<String> = scene.sheets().iter().map(|name| plain(name)).collect();
        writeln!(out, "the film leaves out {}, since sheets bend", listed(&names))?;
    }
    let Findings { overlaps, crossings, .. } = &course.findings;
    for (list, what) in [(overlaps, "overlap"), (crossings, "cross each other")] {
        for found in list.iter().take(room.rows) {
            let [a, b] = found.bodies.map(|body| plain(scene.name(body)));
            writeln!(out, "{a} and {b} {what} at {:.4} s", found.time)?;
        }
    }
    Ok(())
}

/// The pairs that may be in each other, a line each.
pub(crate) fn left_out(scene: &SimulateScene, findings: &Findings) -> Vec<String> {
    let linked = |pair: &LeftOut| match scene.is_uncolliding(pair.bodies) {
        true => "whose joint says collide = false",
        false => "which overlap at the start",
    };
    let line = |(LeftOut { bodies, depth }, why): (&LeftOut, &str)| {
        let [a, b] = bodies.map(|body| plain(scene.name(body)));
        format!("left out: {a} and {b}, {why}; up to {} m deep", short(*depth))
    };
    let more = |count: usize, what: &str| match count.saturating_sub(MOST_ROWS) {
        0 => None,
        more => Some(format!("left out: {} more", plural(more, what))),
    };
    let Findings { left_out, passing, .. } = findings;
    let lines = left_out.iter().take(MOST_ROWS).map(|pair| line((pair, linked(pair))));
    let passed = passing.iter().take(MOST_ROWS);
    let passed = passed.map(|pair| line((pair, "of which neither gives way")));
    let lines = lines.chain(more(left_out.len(), "linked pair"));
    lines.chain(passed).chain(more(passing.len(), "passing pair")).collect()
}

fn write_row(row: &Row, out: &mut dyn Write) -> io::Result<()> {
    let Row { time, impacts, contacts, moving, asleep, kinetic } = row;
    let kinetic = short(*kinetic);
    writeln!(
        out,
        "  {time:5.2} s  {impacts:7}  {contacts:8}  {moving:6}  {asleep:6}  {kinetic:>17}"
    )
}

/// All of it in a line.
fn summary(scene: &SimulateScene, course: &Course) -> String {
    let simulated = course.world.time();
    let share = course.took.as_secs_f64() / simulated;
    format!(
        "{}; {}; {simulated:.2} s took {}, {:.0} % of real time",
        outcome(scene, course),
        checked(scene, &course.findings),
        duration(course.took),
        100.0 * share,
    )
}

/// Joints that are open by more than this, in metres, are spoken of.
const VISIBLE: f64 = 1e-6;

/// What happened in a line, however long it took.
pub(super) fn outcome(scene: &SimulateScene, course: &Course) -> String {
    let waits = match course.waits {
        0 => String::new(),
        count => format!(", {}", plural(count, "wait")),
    };
    let open = course.joint_gap.length;
    let joints = if open > VISIBLE {
        format!(", joints open by up to {} m", short(open))
    } else {
        String::new()
    };
    format!(
        "{} in {}: {}{waits}{joints}",
        plural(scene.names().len(), "body"),
        plural(scene.steps() as usize, "step"),
        plural(course.impacts, "impact"),
    )
}

/// What was looked at, and what was found there.
fn checked(scene: &SimulateScene, findings: &Findings) -> String {
    let overlaps = plural(findings.overlaps.len(), "overlap");
    let deep = match findings.overlaps.len() {
        0 => String::new(),
        _ => format!(", {} m deep at worst,", short(findings.worst_depth)),
    };
    let crossings = match findings.steps {
        0 => String::new(),
        steps => {
            let crossings = plural(findings.crossings.len(), "crossing");
            format!(", {crossings} in {}", plural(steps as usize, "step"))
        }
    };
    let frames = plural(findings.frames as usize, "frame");
    let left_out = apart(scene, &findings.left_out, "linked pair");
    let passing = apart(scene, &findings.passing, "passing pair");
    format!("{overlaps}{deep} in {frames}{crossings} looked at{left_out}{passing}")
}

/// Pairs in the summary at most by name.
const MOST_NAMED: usize = 3;

/// Pairs that are counted apart, the first of them by name; nothing if there are none.
fn apart(scene: &SimulateScene, pairs: &[LeftOut], what: &str) -> String {
    if pairs.is_empty() {
        return String::new();
    }
    let name = |pair: &LeftOut| {
        let [a, b] = pair.bodies.map(|body| plain(scene.name(body)));
        format!("{a} and {b}")
    };
    let names: Vec<String> = pairs.iter().take(MOST_NAMED).map(name).collect();
    let more = match pairs.len() - names.len() {
        0 => String::new(),
        more => format!(", {more} more"),
    };
    format!("; {} left out: {}{more}", plural(pairs.len(), what), names.join(", "))
}
