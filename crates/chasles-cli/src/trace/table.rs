//! Traces for eyes: a few lines for one body, a row each for several.

use std::io::{self, Write};

use chasles::trace::{Contents, Touch};
use chasles_scene::{Fixed, Mover, TraceScene};

use super::result::TraceResult;
use super::walk;
use crate::room::Room;
use crate::table::features;
use crate::words::{duration, plain, plural, point, short};

/// Writes what became of every body.
pub(super) fn write(
    scene: &TraceScene,
    results: &[TraceResult],
    room: Room,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "{}\n", plain(scene.title()))?;
    match (scene.movers(), results) {
        ([mover], [result]) => write_one(scene, (mover, result), room, out)?,
        (movers, results) => {
            let width = movers.iter().map(|mover| plain(&mover.name).chars().count()).max();
            let width = width.unwrap_or(0);
            for (mover, result) in movers.iter().zip(results).take(room.rows) {
                let name = plain(&mover.name);
                writeln!(out, "  {name:width$}  {}", row(scene.fixed(), result))?;
            }
            write_more(room, movers.len(), out)?;
        }
    }
    writeln!(out, "\n{}", summary(scene, results))
}

/// Says how many of so many rows are left out.
fn write_more(room: Room, count: usize, out: &mut dyn Write) -> io::Result<()> {
    match room.more(count.saturating_sub(room.rows)) {
        Some(line) => writeln!(out, "  {line}"),
        None => Ok(()),
    }
}

fn write_one(
    scene: &TraceScene,
    (mover, result): (&Mover, &TraceResult),
    room: Room,
    out: &mut dyn Write,
) -> io::Result<()> {
    let fixed = scene.fixed();
    let trace = &result.trace;
    let name = plain(&mover.name);
    match (&trace.touch, result.solid) {
        _ if result.walks() => writeln!(out, "{name} walks {}", walk::count(result.moves()))?,
        (_, Some(solid)) => {
            writeln!(
                out,
                "{name} starts in the world ({}): it does not move",
                within(fixed, solid)
            )?;
        }
        (Some(_), None) => writeln!(out, "{name} stops at {:.9} of its way", trace.fraction)?,
        (None, None) => writeln!(out, "{name} is free all the way")?,
    }
    let rotation = trace.end.rotation().to_array().map(short).join(", ");
    writeln!(out, "  end       {}, rotation ({rotation})", point(trace.end.position()))?;
    if let Some(touch) = &trace.touch {
        writeln!(out, "  contact   {}", words(fixed, touch))?;
        writeln!(out, "  point     {}", point(touch.point))?;
        writeln!(out, "  normal    {}, distance {}", point(touch.normal), short(touch.distance))?;
    }
    writeln!(out, "  zone      {} thick", short(trace.thickness))?;
    writeln!(out, "  took      {}", duration(result.took))?;
    if result.walks() {
        walk::write(fixed, result.moves(), out)?;
    }
    let Some(contacts) = &result.contacts else { return Ok(()) };
    writeln!(out, "\n{} where it ends", plural(contacts.len(), "contact"))?;
    for touch in contacts.iter().take(room.rows) {
        let (distance, words) = (short(touch.distance), words(fixed, touch));
        writeln!(out, "  {distance:>10}  {words}, at {}", point(touch.point))?;
    }
    write_more(room, contacts.len(), out)
}

fn row(fixed: &[Fixed], result: &TraceResult) -> String {
    let trace = &result.trace;
    let near = result.contacts.as_ref().map(|all| format!("; {}", plural(all.len(), "contact")));
    let near = near.unwrap_or_default();
    match (&trace.touch, result.solid) {
        _ if result.walks() => {
            let place = point(trace.end.position());
            format!("walks {}, to {place}{near}", walk::count(result.moves()))
        }
        (_, Some(solid)) => format!("starts in the world ({}){near}", within(fixed, solid)),
        (Some(touch), None) => {
            let place = point(touch.point);
            format!("{:.6}  {}, at {place}{near}", trace.fraction, words(fixed, touch))
        }
        (None, None) => format!("free, to {}{near}", point(trace.end.position())),
    }
}

/// What touches what.
fn words(fixed: &[Fixed], touch: &Touch) -> String {
    let [moving, world] = features(touch.features);
    let Fixed { name, .. } = &fixed[touch.fixture as usize];
    let tag = &fixed[touch.tag as usize].tag;
    let tag = if tag == name { String::new() } else { format!(" ({})", plain(tag)) };
    format!("{moving} on {world} of {}{tag}", plain(name))
}

/// What a body is in.
pub(crate) fn within(fixed: &[Fixed], contents: Contents) -> String {
    match contents {
        Contents::Crossing { fixture, face, .. } => {
            format!("it crosses face {face} of {}", plain(&fixed[fixture as usize].name))
        }
        Contents::Inside => "it is inside".to_string(),
        Contents::Around => "a part of the world is inside it".to_string(),
        Contents::Free => "by rounding alone".to_string(),
    }
}

/// All of it in a line.
pub(super) fn summary(scene: &TraceScene, results: &[TraceResult]) -> String {
    let count = |is: &dyn Fn(&TraceResult) -> bool| results.iter().filter(|r| is(r)).count();
    let solid = count(&|result| result.solid.is_some());
    let stopped = count(&|result| result.trace.touch.is_some());
    let walked = count(&TraceResult::walks);
    let walks = if walked == 0 { String::new() } else { format!("{walked} walked, ") };
    let census = scene.world().census();
    format!(
        "{} traced: {stopped} stopped, {walks}{} free, {solid} started solid; the world has {}, {}",
        plural(results.len(), "body"),
        results.len() - solid - stopped - walked,
        plural(scene.fixed().len(), "body"),
        plural(census.faces, "convex face"),
    )
}
