//! First contacts of many motions of one body past a scene: on one thread, on two, and in two
//! processes with a thread each.
//!
//! `cargo run --release -p chasles-bench --bin batch -- [--csv FILE]`
//!
//! The three take turns, so that what else the machine does is in all of them. Times are on the
//! wall: how well cores are used is the question.

use std::hash::{DefaultHasher, Hasher};
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

use chasles::query::{Geometry, Options, batch};
use chasles::{Polyhedron, Step};
use chasles_bench::grips::{any, gripper, table};
use chasles_bench::stopwatch::median;
use chasles_bench::table::{publish, reserve, write_csv};
use chasles_testkit::generate::Random;
use clap::Parser;
use rayon::ThreadPoolBuilder;
use serde::Serialize;

type Failure = Box<dyn std::error::Error>;

/// First contacts of many motions, by threads and by processes.
#[derive(Parser)]
struct Args {
    /// About how many triangles the moving body has.
    #[arg(long, default_value_t = 5_000)]
    body: usize,
    /// About how many triangles the scene has.
    #[arg(long, default_value_t = 50_000)]
    scene: usize,
    /// How many motions.
    #[arg(long, default_value_t = 100_000)]
    motions: usize,
    /// How often each is measured.
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Answers halves of the motions, one for each line of standard input: 0 or 1.
    #[arg(long, hide = true)]
    worker: bool,
    /// Write the measurements as CSV, times in seconds.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

/// One round: seconds on the wall for all motions.
#[derive(Serialize)]
struct Row {
    motions: usize,
    one_thread_s: f64,
    two_threads_s: f64,
    two_processes_s: f64,
}

/// Bodies and motions, the same in every process.
struct Work {
    bodies: [Geometry; 2],
    steps: Vec<Step>,
}

impl Work {
    fn new(args: &Args) -> Result<Self, Failure> {
        let mut random = Random::new(2);
        let meshes = [table(args.scene, &mut random), gripper(args.body)];
        let [scene, body] = meshes.each_ref().map(Polyhedron::new);
        let bodies = [Geometry::mesh(scene?), Geometry::mesh(body?)];
        let grips = any(bodies.each_ref(), args.motions, &mut random)?;
        let steps = grips.iter().map(|grip| grip.step()).collect::<Result<Vec<Step>, _>>()?;
        Ok(Self { bodies, steps })
    }

    /// Half of the motions.
    fn half(&self, number: usize) -> &[Step] {
        let (first, second) = self.steps.split_at(self.steps.len() / 2);
        if number == 0 { first } else { second }
    }

    /// What the motions answer, on so many threads: how many hit, and all times, bit for bit.
    fn answer(&self, steps: &[Step], threads: usize) -> Result<Answer, Failure> {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
        let [a, b] = &self.bodies;
        let (options, watch) = (Options::default(), batch::Watch::default());
        let start = Instant::now();
        let found = pool.install(|| batch::first_contacts(a, b, steps, &options, &watch))?;
        let seconds = start.elapsed().as_secs_f64();
        let hits = found.iter().flatten().count();
        let mut bits = DefaultHasher::new();
        for contact in &found {
            let place =
                contact.map_or([f64::NAN; 4], |c| [c.time, c.point.x, c.point.y, c.point.z]);
            place.iter().for_each(|x| bits.write_u64(x.to_bits()));
            bits.write(format!("{:?}", contact.map(|c| c.features)).as_bytes());
        }
        Ok(Answer { seconds, hits, bits: bits.finish() })
    }
}

struct Answer {
    seconds: f64,
    hits: usize,
    bits: u64,
}

fn main() -> Result<(), Failure> {
    let args = Args::parse();
    let csv = reserve(args.csv.as_deref())?;
    let work = Work::new(&args)?;
    if args.worker {
        return serve(&work);
    }
    let mut workers = [Worker::new(&args)?, Worker::new(&args)?];
    let mut rows = Vec::new();
    let mut hits = 0;
    for _ in 0..args.rounds {
        let one = work.answer(&work.steps, 1)?;
        let two = work.answer(&work.steps, 2)?;
        if one.bits != two.bits {
            return Err("two threads have other answers than one".into());
        }
        hits = one.hits;
        rows.push(Row {
            motions: work.steps.len(),
            one_thread_s: one.seconds,
            two_threads_s: two.seconds,
            two_processes_s: together(&mut workers)?,
        });
    }
    report(&work, hits, &rows)?;
    publish(csv, |out| write_csv(out, &rows))?;
    Ok(())
}

fn report(work: &Work, hits: usize, rows: &[Row]) -> io::Result<()> {
    let rate = |time: fn(&Row) -> f64| {
        median(rows.iter().map(|row| row.motions as f64 / time(row)).collect())
    };
    let share = median(rows.iter().map(|row| row.two_processes_s / row.two_threads_s).collect());
    writeln!(
        io::stdout().lock(),
        "{} motions, {hits} hits; a second: {:.0} on one thread, {:.0} on two, {:.0} in two \
         processes; threads reach {share:.2} of processes",
        work.steps.len(),
        rate(|row| row.one_thread_s),
        rate(|row| row.two_threads_s),
        rate(|row| row.two_processes_s),
    )
}

/// Answers each line of standard input with a line when its half is done.
fn serve(work: &Work) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    writeln!(out, "ready")?;
    out.flush()?;
    for line in io::stdin().lock().lines() {
        work.answer(work.half(line?.trim().parse()?), 1)?;
        writeln!(out, "done")?;
        out.flush()?;
    }
    Ok(())
}

/// Another process with one thread.
struct Worker {
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    _child: Child,
}

impl Worker {
    fn new(args: &Args) -> Result<Self, Failure> {
        let numbers = [args.body, args.scene, args.motions].map(|n| n.to_string());
        let flags = ["--body", "--scene", "--motions"].into_iter().zip(&numbers);
        let mut child = Command::new(std::env::current_exe()?)
            .arg("--worker")
            .args(flags.flat_map(|(flag, number)| [flag, number.as_str()]))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("a process without pipes".into());
        };
        let mut worker = Self { input, output: BufReader::new(output), _child: child };
        worker.wait()?;
        Ok(worker)
    }

    fn wait(&mut self) -> io::Result<()> {
        self.output.read_line(&mut String::new()).map(|_| ())
    }
}

/// Seconds until both processes have answered their halves.
fn together(workers: &mut [Worker; 2]) -> Result<f64, Failure> {
    let start = Instant::now();
    for (number, worker) in workers.iter_mut().enumerate() {
        writeln!(worker.input, "{number}")?;
        worker.input.flush()?;
    }
    for worker in workers {
        worker.wait()?;
    }
    Ok(start.elapsed().as_secs_f64())
}
