//! Many pairs, from bodies to contacts.

use std::time::{Duration, Instant};

use chasles::screen::device::{Candidates, DeviceError, Plan};
use chasles::screen::{Options, Workspace};
use chasles::{Collider, Contact, Step};

use crate::adapter::Device;
use crate::batch::Batch;
use crate::error::Error;
use crate::lists::{Lists, Memory};

/// Two bodies, A and B, and how they move.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'q> {
    /// A and B.
    pub bodies: [&'q Collider; 2],
    /// Their motions.
    pub step: &'q Step,
}

/// What the last call cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Parts of steps that were drawn.
    pub sheets: usize,
    /// Curves of edges and of borders of faces.
    pub curves: usize,
    /// Lines and boxes that the device made of them.
    pub records: u64,
    /// Different pairs that the device handed on.
    pub candidates: usize,
    /// Those of them that the sweep of the CPU finds too.
    pub confirmed: usize,
    /// How often the device ran: more than once for a batch if lists had to grow.
    pub runs: usize,
    /// How long the CPU waited for it.
    pub waiting: Duration,
}

/// Finds contacts of many pairs on a device. Memory is kept between calls.
#[derive(Debug)]
pub struct Screen {
    lists: Lists,
    batch: Batch,
    workspace: Workspace,
    statistics: Statistics,
}

/// Pairs are drawn together up to so many faces of both bodies, some 100 bytes each here.
const FACES: usize = 1 << 19;

impl Screen {
    /// Finds contacts on this device, with the usual [`Memory`].
    ///
    /// *Cost* some tenths of a second, in which the device translates its programs. *Fails* never.
    pub fn new(device: Device) -> Self {
        Self::with_memory(device, Memory::default())
    }

    /// Finds contacts on this device, with lists that take no more memory than this.
    ///
    /// *Cost* and *Fails* as [`Screen::new`].
    pub fn with_memory(device: Device, memory: Memory) -> Self {
        let lists = Lists::new(device, memory);
        let (batch, workspace, statistics) = Default::default();
        Self { lists, batch, workspace, statistics }
    }

    /// The device. *Cost* constant. *Fails* never.
    pub fn device(&self) -> &Device {
        self.lists.device()
    }

    /// What the last call cost; nothing before the first. *Cost* constant. *Fails* never.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// The contacts of each pair, in the order of the pairs, each sorted by time.
    ///
    /// *Accepts* any number of pairs. *Guarantees* what the [crate](crate) says, and the same bits
    /// on every run. *Cost* see there. *Fails* as [`Error`] says; of several pairs at fault the
    /// first is named.
    pub fn contacts(
        &mut self,
        pairs: &[Pair<'_>],
        options: &Options,
    ) -> Result<Vec<Vec<Contact>>, Error> {
        self.statistics = Statistics::default();
        let mut all = Vec::with_capacity(pairs.len());
        let mut start = 0;
        while start < pairs.len() {
            let end = start + together(&pairs[start..]);
            let plan = |pair: usize| {
                let Pair { bodies, step } = pairs[pair];
                Plan::new(bodies, step, options).map_err(|reason| Error::Pair { pair, reason })
            };
            let mut plans = (start..end).map(plan).collect::<Result<Vec<_>, _>>()?;
            self.find(&mut plans, start, &mut all)?;
            start = end;
        }
        Ok(all)
    }

    /// The contacts of some plans, in as many batches as memory asks for.
    fn find(
        &mut self,
        plans: &mut [Plan<'_>],
        first: usize,
        all: &mut Vec<Vec<Contact>>,
    ) -> Result<(), Error> {
        self.batch.clear();
        plans.iter().for_each(|plan| self.batch.add(plan));
        match self.run() {
            Ok(mut candidates) => self.judge(plans, first, &mut candidates, all),
            Err(Error::Memory { .. }) if plans.len() > 1 => {
                let (head, tail) = plans.split_at_mut(plans.len() / 2);
                self.find(head, first, all)?;
                self.find(tail, first + head.len(), all)
            }
            Err(error) => Err(error),
        }
    }

    fn run(&mut self) -> Result<Vec<Candidates>, Error> {
        let Self { lists, batch, statistics, .. } = self;
        let start = Instant::now();
        let found = lists.run(batch)?;
        statistics.waiting += start.elapsed();
        statistics.sheets += batch.jobs.len();
        statistics.curves += batch.curves.len();
        statistics.records += found.records;
        statistics.runs += found.runs;
        let nonsense = || lists.device().failed("it named what there is not");
        batch.sorted(&found.pairs).ok_or_else(nonsense)
    }

    fn judge(
        &mut self,
        plans: &mut [Plan<'_>],
        first: usize,
        candidates: &mut [Candidates],
        all: &mut Vec<Vec<Contact>>,
    ) -> Result<(), Error> {
        let Self { lists, workspace, statistics, .. } = self;
        let mut rest = candidates;
        for (i, plan) in plans.iter_mut().enumerate() {
            let (of_plan, others) = rest.split_at_mut(plan.sheets().len());
            rest = others;
            let judged = plan.judge(of_plan, workspace).map_err(|error| match error {
                DeviceError::Screen(reason) => Error::Pair { pair: first + i, reason },
                other => lists.device().failed(other),
            })?;
            statistics.candidates += judged.handed_on;
            statistics.confirmed += judged.confirmed;
            all.push(judged.contacts.to_vec());
        }
        Ok(())
    }
}

/// How many of the first pairs are drawn together: at least one.
fn together(pairs: &[Pair<'_>]) -> usize {
    let mut faces = 0;
    let fits = |pair: &&Pair<'_>| {
        let parts = pair.step.parts() as usize;
        let of_pair: usize = pair.bodies.map(|body| body.mesh().face_count()).into_iter().sum();
        faces += parts * of_pair;
        faces <= FACES
    };
    pairs.iter().take_while(fits).count().max(1)
}
