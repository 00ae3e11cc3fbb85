//! The lists of the device, and the passes that fill them.
//!
//! How long the lists of records, references and candidates get is known only when they are filled.
//! So each pass counts what it would write, and writes no further than there is room. If there was
//! too little, all passes run again with more; nothing is lost.

use std::sync::mpsc;

use wgpu::{Buffer, BufferUsages, CommandEncoder, ComputePipeline};

use crate::adapter::{Device, GROUP};
use crate::batch::{Batch, HEAD};
use crate::error::Error;

/// How much memory the lists of the device may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Bytes at most, for records, cells and candidates. What needs more is an error.
    pub limit: u64,
    /// Bytes at first; more are taken when they are needed, at the price of another run.
    pub at_first: u64,
}

impl Default for Memory {
    /// At most 512 MiB, and 16 MiB at first.
    fn default() -> Self {
        Self { limit: 1 << 29, at_first: 1 << 24 }
    }
}

/// Bytes of a record, a reference, a candidate, and a cell.
const BYTES: [u64; 4] = [48, 4, 8, 12];

/// For how much there is room.
#[derive(Clone, Copy, Debug)]
struct Room {
    records: u64,
    refs: u64,
    candidates: u64,
}

impl Room {
    /// Shares of the memory at first, as two tori fill the lists. Half of what is allowed is left
    /// for cells.
    fn first(memory: Memory) -> Self {
        let bytes = memory.at_first.min(memory.limit / 2);
        let share = |part: u64, of: u64| (bytes / 8 * part / of).max(64);
        Self { records: share(5, 48), refs: share(2, 4), candidates: share(1, 8) }
    }

    /// Bytes of the buffers that the lists are in, with so many cells: records, cells, and what is
    /// found.
    fn sizes(&self, cells: u64) -> [u64; 3] {
        let [record, reference, candidate, cell] = BYTES;
        let found = reference.saturating_mul(self.refs);
        [
            record.saturating_mul(self.records),
            (4 * HEAD as u64).saturating_add(cell.saturating_mul(cells)),
            found.saturating_add(candidate.saturating_mul(self.candidates)),
        ]
    }

    fn holds(&self, needed: &Self) -> bool {
        self.records >= needed.records
            && self.refs >= needed.refs
            && self.candidates >= needed.candidates
    }

    /// Room for what was needed and a little more, but not less than now.
    fn grown(&self, needed: &Self, spare: u64) -> Self {
        let grow = |now: u64, needed: u64| if needed > now { needed + needed / spare } else { now };
        Self {
            records: grow(self.records, needed.records),
            refs: grow(self.refs, needed.refs),
            candidates: grow(self.candidates, needed.candidates),
        }
    }
}

/// What a batch comes to.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) pairs: Vec<[u32; 2]>,
    pub(crate) records: u64,
    pub(crate) runs: usize,
}

/// The passes in their order, and what each runs over.
const PASSES: [(&str, Over); 7] = [
    ("draw", Over::Curves),
    ("bound", Over::Faces),
    ("count", Over::Records),
    ("give", Over::Cells),
    ("fill", Over::Records),
    ("cross_lines", Over::Records),
    ("enter", Over::Points),
];

#[derive(Clone, Copy, Debug)]
enum Over {
    Curves,
    Faces,
    Points,
    Records,
    Cells,
}

/// What runs on the device.
const PROGRAMS: &str = concat!(include_str!("draw.wgsl"), include_str!("sweep.wgsl"));

/// Programs and buffers of one device.
#[derive(Debug)]
pub(crate) struct Lists {
    device: Device,
    memory: Memory,
    room: Room,
    layout: wgpu::BindGroupLayout,
    passes: Vec<ComputePipeline>,
    buffers: Vec<Buffer>,
}

/// Some of the buffers, by their bindings, and how many there are.
const CELLS: usize = 6;
const FOUND: usize = 7;
const COUNT: usize = 8;

impl Lists {
    pub(crate) fn new(device: Device, memory: Memory) -> Self {
        Self::with(device, memory, PROGRAMS)
    }

    /// Lists that these programs fill.
    fn with(device: Device, memory: Memory, programs: &str) -> Self {
        let gpu = &device.device;
        let source = wgpu::ShaderSource::Wgsl(programs.into());
        let descriptor = wgpu::ShaderModuleDescriptor { label: Some("screen"), source };
        let module = gpu.create_shader_module(descriptor);
        let entries: Vec<_> = (0..COUNT as u32).map(entry).collect();
        let layout = gpu.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("screen"),
            entries: &entries,
        });
        let of_all = gpu.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("screen"),
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let pass = |&(name, _): &(&str, Over)| {
            gpu.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(name),
                layout: Some(&of_all),
                module: &module,
                entry_point: Some(name),
                compilation_options: Default::default(),
                cache: None,
            })
        };
        let passes = PASSES.iter().map(pass).collect();
        let buffers = small_buffers(gpu);
        let room = Room::first(memory);
        Self { device, memory, room, layout, passes, buffers }
    }

    pub(crate) fn device(&self) -> &Device {
        &self.device
    }

    /// Runs a batch, as often as lists have to grow.
    pub(crate) fn run(&mut self, batch: &mut Batch) -> Result<Found, Error> {
        if batch.jobs.is_empty() {
            return Ok(Found { pairs: Vec::new(), records: 0, runs: 0 });
        }
        let cells = cells_of(batch);
        let inputs = batch.inputs().map(|input| input.len() as u64);
        if self.check(&self.room, cells, inputs).is_err() {
            // Another batch grew them, which had fewer cells.
            self.room = Room::first(self.memory);
            self.check(&self.room, cells, inputs)?;
        }
        // Records may be too few, then references, then candidates, and each hides the next.
        for runs in 1.. {
            let needed = match self.run_once(batch, cells) {
                Ok(needed) => needed,
                Err(error) => {
                    // What could not be made is no buffer, whatever size it says it has.
                    self.buffers = small_buffers(&self.device.device);
                    return Err(error);
                }
            };
            if self.room.holds(&needed) {
                let pairs = self.read_pairs(needed.candidates)?;
                return Ok(Found { pairs, records: needed.records, runs });
            }
            self.check(&self.room.grown(&needed, u64::MAX), cells, inputs)?;
            let roomy = self.room.grown(&needed, 4);
            let is_roomy = self.check(&roomy, cells, inputs).is_ok();
            self.room = if is_roomy { roomy } else { self.room.grown(&needed, u64::MAX) };
        }
        Err(self.device.failed("its lists grow forever"))
    }

    /// Whether there may be so much room, beside inputs of these sizes.
    fn check(&self, room: &Room, cells: u64, inputs: [u64; 5]) -> Result<(), Error> {
        let limit = self.memory.limit;
        let lists = room.sizes(cells);
        let needed = lists.iter().fold(0, |sum: u64, size| sum.saturating_add(*size));
        let longest = lists.into_iter().chain(inputs).fold(0, u64::max);
        match self.device.longest() {
            _ if needed > limit => Err(Error::Memory { needed, limit }),
            most if longest > most => Err(Error::Memory { needed: longest, limit: most }),
            _ => Ok(()),
        }
    }

    /// Runs all passes; what would have been needed.
    fn run_once(&mut self, batch: &mut Batch, cells: u64) -> Result<Room, Error> {
        let scopes = self.device.scopes();
        self.upload(batch, cells);
        let mut encoder = self.device.device.create_command_encoder(&Default::default());
        self.encode(&mut encoder, batch, cells);
        self.device.queue.submit([encoder.finish()]);
        self.device.close(scopes)?;
        let counters = self.read(CELLS, 0, 20)?;
        let [records, refs, candidates, wrapped, differs] =
            [0, 1, 2, 3, 4].map(|i| u64::from(counters[i]));
        if differs != 0 {
            return Err(self.device.failed("two passes over the same curves disagree"));
        }
        // A count beyond 32 bits is more than any memory.
        let more = if wrapped == 0 { 0 } else { u64::from(u32::MAX) + 1 };
        Ok(Room { records: records + more, refs: refs + more, candidates: candidates + more })
    }

    /// Writes a batch into the buffers, which grow as they must.
    fn upload(&mut self, batch: &mut Batch, cells: u64) {
        let Room { records, refs, candidates } = self.room;
        let counts = [batch.curves.len(), batch.faces.len(), batch.points.len()];
        let numbers = counts.map(|count| count as u32).into_iter();
        let rooms = [records, refs, candidates, cells].map(|room| room as u32);
        for (slot, number) in batch.lists.iter_mut().zip(numbers.chain(rooms)) {
            *slot = number;
        }
        let inputs = batch.inputs();
        let sizes = self.room.sizes(cells);
        let needed = inputs.iter().map(|input| input.len() as u64).chain(sizes);
        for (held, size) in self.buffers.iter_mut().zip(needed) {
            if held.size() < size {
                *held = buffer(&self.device.device, size);
            }
        }
        for (held, input) in self.buffers.iter().zip(inputs) {
            self.device.queue.write_buffer(held, 0, input);
        }
    }

    fn encode(&self, encoder: &mut CommandEncoder, batch: &Batch, cells: u64) {
        encoder.clear_buffer(&self.buffers[CELLS], 0, None);
        let entries: Vec<_> = (0..)
            .zip(&self.buffers)
            .map(|(binding, held)| wgpu::BindGroupEntry {
                binding,
                resource: held.as_entire_binding(),
            })
            .collect();
        let group = self.device.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &self.layout,
            entries: &entries,
        });
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_bind_group(0, &group, &[]);
        for (pipeline, (_, over)) in self.passes.iter().zip(PASSES) {
            let count = match over {
                Over::Curves => batch.curves.len() as u64,
                Over::Faces => batch.faces.len() as u64,
                Over::Points => batch.points.len() as u64,
                Over::Records => self.room.records,
                Over::Cells => cells,
            };
            pass.set_pipeline(pipeline);
            let [x, y] = groups(count);
            pass.dispatch_workgroups(x, y, 1);
        }
    }

    fn read_pairs(&self, count: u64) -> Result<Vec<[u32; 2]>, Error> {
        if count == 0 {
            return Ok(Vec::new());
        }
        let words = self.read(FOUND, 4 * self.room.refs, 8 * count)?;
        Ok(words.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect())
    }

    /// Words of a buffer, from a byte on.
    fn read(&self, buffer: usize, from: u64, bytes: u64) -> Result<Vec<u32>, Error> {
        let scopes = self.device.scopes();
        let words = self.mapped(buffer, from, bytes);
        // What the device says first is why nothing can be read.
        self.device.close(scopes)?;
        words
    }

    fn mapped(&self, buffer: usize, from: u64, bytes: u64) -> Result<Vec<u32>, Error> {
        let gpu = &self.device.device;
        let staging = gpu.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: bytes,
            usage: BufferUsages::MAP_READ | BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let mut encoder = gpu.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(&self.buffers[buffer], from, &staging, 0, bytes);
        self.device.queue.submit([encoder.finish()]);
        let (sender, receiver) = mpsc::channel();
        staging.map_async(wgpu::MapMode::Read, .., move |result| {
            // Nobody listens any more if the device failed before.
            let _ = sender.send(result);
        });
        gpu.poll(wgpu::PollType::wait_indefinitely()).map_err(|e| self.device.failed(e))?;
        let answer = receiver.recv().map_err(|e| self.device.failed(e))?;
        answer.map_err(|e| self.device.failed(e))?;
        let view = staging.get_mapped_range(..).map_err(|e| self.device.failed(e))?;
        Ok(bytemuck::pod_collect_to_vec(&view))
    }
}

/// Cells of a batch: some more than there are things to put there.
fn cells_of(batch: &Batch) -> u64 {
    (2 * (batch.curves.len() + batch.faces.len()) as u64).next_power_of_two().max(1024)
}

/// How many groups run over so many things, in rows of no more than a device allows.
fn groups(count: u64) -> [u32; 2] {
    let all = count.div_ceil(u64::from(GROUP)).max(1);
    let x = all.min(ROW);
    [x as u32, all.div_ceil(x) as u32]
}

/// Groups in a row, as in the shader.
const ROW: u64 = 32_768;

fn entry(binding: u32) -> wgpu::BindGroupLayoutEntry {
    let read_only = matches!(binding, 0 | 2..=4);
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Storage { read_only },
            has_dynamic_offset: false,
            min_binding_size: None,
        },
        count: None,
    }
}

fn small_buffers(gpu: &wgpu::Device) -> Vec<Buffer> {
    (0..COUNT).map(|_| buffer(gpu, 64)).collect()
}

fn buffer(gpu: &wgpu::Device, size: u64) -> Buffer {
    gpu.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: size.max(64).next_multiple_of(64),
        usage: BufferUsages::STORAGE | BufferUsages::COPY_DST | BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_grows_where_it_was_too_small() {
        let now = Room { records: 100, refs: 200, candidates: 300 };
        let needed = Room { records: 80, refs: 400, candidates: 300 };
        assert!(!now.holds(&needed));
        let grown = now.grown(&needed, 4);
        assert!(grown.holds(&needed));
        assert_eq!([grown.records, grown.refs, grown.candidates], [100, 500, 300]);
        assert_eq!(now.sizes(10), [100 * 48, 64 + 10 * 12, 200 * 4 + 300 * 8]);
    }

    #[test]
    fn groups_cover_everything_in_rows() {
        for count in [0, 1, 128, 129, 4_194_304, 4_194_305, 100_000_000] {
            let [x, y] = groups(count).map(u64::from);
            assert!(x <= ROW && x * y * u64::from(GROUP) >= count, "{count}");
        }
    }

    /// A device in software; `None` where there is none, unless `CHASLES_DEVICE` says so.
    fn in_software() -> Option<Device> {
        match Device::named("llvmpipe") {
            Err(error) if std::env::var_os("CHASLES_DEVICE").is_none() => {
                eprintln!("skipped: {error}");
                None
            }
            device => Some(device.expect("an adapter in software")),
        }
    }

    /// Two squares that share the middle of a screen, one of A and one of B.
    fn squares() -> Batch {
        let mut batch = Batch::default();
        batch.clear();
        let numbers = [0.0, 0.0, 1.0, -20.0, 1.0];
        let mut job = [1.0f32.to_bits(); 16];
        job[..5].copy_from_slice(&numbers.map(f32::to_bits));
        job[5] = 40;
        job[6] = (-20.0f32).to_bits();
        job[7] = 1.0f32.to_bits();
        job[8] = 40;
        batch.jobs.push(job);
        for (body, x) in [(0, 0.0), (8, 0.5)] {
            let corners = [[x, x], [x + 9.0, x], [x + 9.0, x + 9.0], [x, x + 9.0]];
            for i in 0..4 {
                let [[px, pz], [qx, qz]] = [corners[i], corners[(i + 1) % 4]];
                let [px, pz, qx, qz] = [px, pz, qx, qz].map(f32::to_bits);
                // An edge, of B if so, that is halved where it bends.
                let flags = 2 | body;
                batch.curves.push([px, 0, pz, 0, qx, 0, qz, flags, 0, 0, 0, 0, 0, 0, 0, 0]);
            }
        }
        batch
    }

    #[test]
    fn passes_that_count_otherwise_than_they_write_are_noticed() {
        let Some(device) = in_software() else { return };
        let mut sound = Lists::new(device.clone(), Memory::default());
        assert!(sound.run(&mut squares()).expect("both passes agree").records > 0);
        for (agree, differ) in [
            ("walk(i, first, true) != count", "walk(i, first, true) == count"),
            ("place >= atomicLoad(&cells[rooms(cell)])", "place < atomicLoad(&cells[rooms(cell)])"),
        ] {
            assert!(PROGRAMS.contains(agree));
            let programs = PROGRAMS.replace(agree, differ);
            let mut lists = Lists::with(device.clone(), Memory::default(), &programs);
            let error = lists.run(&mut squares()).expect_err("one pass counts otherwise");
            assert!(error.to_string().contains("disagree"), "{error}");
        }
    }

    #[test]
    fn inputs_beyond_the_longest_buffer_are_an_error_before_they_are_sent() {
        let Some(device) = in_software() else { return };
        let longest = device.longest();
        let lists = Lists::new(device, Memory::default());
        let room = Room::first(Memory::default());
        assert_eq!(lists.check(&room, 1024, [longest; 5]), Ok(()));
        let needed = longest + 1;
        for input in 0..5 {
            let mut inputs = [64; 5];
            inputs[input] = needed;
            let error = lists.check(&room, 1024, inputs);
            assert_eq!(error, Err(Error::Memory { needed, limit: longest }), "{input}");
        }
    }

    #[test]
    fn buffers_are_made_anew_after_the_device_has_refused_one() {
        let Some(device) = in_software() else { return };
        let mut lists = Lists::new(device, Memory::default());
        let found = lists.run(&mut squares()).expect("room for all");
        lists.buffers[FOUND].destroy();
        let error = lists.run(&mut squares()).expect_err("a buffer is gone");
        assert!(matches!(error, Error::Failed { .. }), "{error}");
        let again = lists.run(&mut squares()).expect("buffers are new");
        assert_eq!((again.records, again.pairs.len()), (found.records, found.pairs.len()));
    }

    #[test]
    fn what_cannot_be_read_is_an_error() {
        let Some(device) = in_software() else { return };
        let lists = Lists::new(device, Memory::default());
        let error = lists.read(FOUND, 0, 1 << 20).expect_err("the buffer is shorter");
        assert!(matches!(error, Error::Failed { .. }), "{error}");
        assert_eq!(lists.read(FOUND, 0, 8).expect("it still answers").len(), 2);
    }

    /// Numbers from -1 to 1, the same on every run.
    struct Random(u32);

    impl Random {
        fn next(&mut self) -> f32 {
            self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (self.0 >> 8) as f32 / (1 << 23) as f32 - 1.0
        }
    }

    /// `rho`, `h` and `t` as `docs/screen.md` has them, in doubles.
    fn place([kappa, sigma, glide]: [f64; 3], [x, y, z]: [f64; 3]) -> [f64; 3] {
        let root = (kappa * x).hypot(1.0 + kappa * z);
        let rho = (2.0 * z + kappa * (x * x + z * z)) / (1.0 + root);
        let arc = root * (kappa * x).atan2(1.0 + kappa * z) / kappa;
        let across = sigma * root;
        let speed = across.hypot(glide);
        let h = (y * across - arc * glide) / speed;
        [rho, h, (y * glide + arc * across) / (speed * speed)]
    }

    /// Half of a pad is for the roundings of the CPU, and half of ours should be to spare.
    #[test]
    fn places_in_singles_are_within_a_quarter_of_their_pads() {
        let Some(device) = in_software() else { return };
        let mut random = Random(1);
        let (mut batch, mut expected) = (Batch::default(), Vec::new());
        batch.clear();
        for number in 0..200 {
            // From a thousand pixels around the axis to nearly a translation.
            let screen = [0.001 * 0.9f32.powi(number), 300.0, 200.0 * random.next()];
            let mut job = [1.0f32.to_bits(); 16];
            job[..3].copy_from_slice(&screen.map(f32::to_bits));
            batch.jobs.push(job);
            for _ in 0..20 {
                let p = [random.next(), random.next(), random.next()].map(|x| 900.0 * x);
                let [x, y, z] = p.map(f32::to_bits);
                let curve = [x, y, z, number as u32, x, y, z, 3, 0, 0, 0, 0, 0, 0, 0, 0];
                batch.curves.push(curve);
                expected.push(place(screen.map(f64::from), p.map(f64::from)));
            }
        }
        let mut lists = Lists::new(device, Memory::default());
        let found = lists.run(&mut batch).expect("room for all");
        let words = lists.read(5, 0, 48 * found.records).expect("records");
        let mut worst = [0.0f64; 2];
        for record in words.chunks_exact(12) {
            let [rho, h, t, pad] = [0, 1, 2, 3].map(|i| f64::from(f32::from_bits(record[i])));
            let late = f64::from(f32::from_bits(record[7]));
            let [p, q, r] = expected[record[8] as usize];
            worst[0] = worst[0].max((rho - p).abs().max((h - q).abs()) / pad);
            worst[1] = worst[1].max((t - r).abs() / late);
        }
        assert_eq!(found.records, 4000);
        assert!(worst.iter().all(|share| (0.001..0.25).contains(share)), "{worst:?}");
    }
}
