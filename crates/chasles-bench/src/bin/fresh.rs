//! From meshes to the first answer: how long it takes, and how much memory bodies need beyond their
//! meshes.
//!
//! `cargo run --release -p chasles-bench --bin fresh -- [--quads N] [--csv FILE]`

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use chasles::glam::{DQuat, DVec3};
use chasles::mesh::shapes::{Shape, Torus};
use chasles::motion::MotionError;
use chasles::{Collider, Motion, Polyhedron, Pose, Step, Workspace, contacts};
use chasles_bench::Mode;
use chasles_bench::stopwatch::{Effort, medians, prepared};
use chasles_bench::table::{Table, duration, publish, reserve, write_csv};
use clap::Parser;
use serde::Serialize;

type Failure = Box<dyn std::error::Error>;

/// What the first answer costs.
#[derive(Parser)]
struct Args {
    /// Quads of each torus, about.
    #[arg(long, default_value_t = 300_000)]
    quads: usize,
    /// Write the measurements as CSV, times in seconds.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

/// Median processor time from two meshes to the first answer, that of the two colliders alone, and
/// what these hold beyond their meshes then.
#[derive(Serialize)]
struct Row {
    question: &'static str,
    faces: usize,
    build_s: f64,
    answer_s: f64,
    bytes_a_face: i64,
    contacts: usize,
}

fn main() -> Result<(), Failure> {
    let args = Args::parse();
    let csv = reserve(args.csv.as_deref())?;
    // As many parts around as across are as long as wide.
    let around = (2.0 * args.quads as f64).sqrt() as u32;
    let segments = [around, (args.quads as u32).div_ceil(around)];
    let mesh = Shape::Torus(Torus { segments, ..Torus::default() }).build()?;
    let rows: Vec<Row> = questions()?.iter().map(|question| measure(&mesh, question)).collect();
    write!(io::stdout().lock(), "{}", table(&rows).to_text())?;
    publish(csv, |out| write_csv(out, &rows))?;
    Ok(())
}

/// What is asked of two tori: its name, the motion of the second, and which contacts.
type Question = (&'static str, Step, Mode);

fn questions() -> Result<[Question; 6], MotionError> {
    let turn = DQuat::from_axis_angle(DVec3::new(0.3, 0.5, 0.4).normalize(), 0.3);
    let step = |from: [f64; 3], to: [f64; 3]| -> Result<Step, MotionError> {
        let motion = Motion::between(Pose::from_position(from)?, Pose::new(to, turn)?);
        Ok(Step::new(Motion::still(Pose::IDENTITY), motion))
    };
    let hit = step([0.2, 1.5, 0.3], [0.2, 0.0, 0.3])?;
    let overlap = step([0.5, 0.3, 0.0], [0.52, 0.3, 0.0])?;
    Ok([
        ("far miss, first contact", step([10.0, 0.0, 0.0], [10.0, 1.0, 0.0])?, Mode::First),
        ("near miss, first contact", step([-3.0, 1.2, 0.0], [3.0, 1.2, 0.0])?, Mode::First),
        ("hit, first contact", hit, Mode::First),
        ("hit, facing contacts", hit, Mode::Facing),
        ("overlap, facing contacts", overlap, Mode::Facing),
        ("overlap, all contacts", overlap, Mode::All),
    ])
}

fn measure(mesh: &Polyhedron, &(question, step, mode): &Question) -> Row {
    let build = |[p, q]: [Polyhedron; 2]| [Collider::new(p), Collider::new(q)];
    let answer = |meshes: [Polyhedron; 2]| {
        let [a, b] = build(meshes);
        let count = contacts(&a, &b, &step, &mode.options(), &mut Workspace::new()).len();
        ([a, b], count)
    };
    let meshes = || [mesh.clone(), mesh.clone()];
    let effort = Effort { budget: Duration::from_secs(8), min_rounds: 5, max_rounds: 51 };
    let mut contenders = [prepared(meshes, build), prepared(meshes, answer)];
    let seconds = medians(&mut contenders, &effort);
    let (bytes, contacts) = counted(|| answer(meshes()));
    let (of_meshes, _) = counted(|| (meshes(), ()));
    let faces = mesh.face_count();
    Row {
        question,
        faces,
        build_s: seconds[0],
        answer_s: seconds[1],
        bytes_a_face: (bytes - of_meshes) / (2 * faces as i64),
        contacts,
    }
}

/// How many bytes something has allocated when it is made, and what was made beside it. Memory is
/// counted by threads, so all of it is done on one.
fn counted<K: Send, R: Send>(make: impl Fn() -> (K, R) + Sync) -> (i64, R) {
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    one.install(|| {
        let mut made = None;
        let memory = allocation_counter::measure(|| made = Some(make()));
        (memory.bytes_current, made.expect("made just now").1)
    })
}

fn table(rows: &[Row]) -> Table {
    let mut table =
        Table::new(&["question", "faces each", "colliders", "answer", "bytes a face", "contacts"]);
    for row in rows {
        let [build, answer] = [row.build_s, row.answer_s].map(duration);
        let counts = [row.faces, row.contacts].map(|count| count.to_string());
        let [faces, contacts] = counts;
        let bytes = row.bytes_a_face.to_string();
        table.push(vec![row.question.into(), faces, build, answer, bytes, contacts]);
    }
    table
}
