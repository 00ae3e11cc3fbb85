//! The collision screen on graphics hardware: all pairs of a scene at once (feature `gpu`).
//!
//! A program without the feature says how it is made; the rest of the program does not know which
//! of both it is.

use miette::Diagnostic;
use thiserror::Error;

/// Why there is no device.
#[derive(Debug, Error, Diagnostic)]
pub enum DeviceError {
    /// The program was built without it.
    #[error("--device: this program was built without graphics hardware")]
    #[diagnostic(help(
        "leave out --device, or build the program with it: cargo install --path crates/chasles-cli \
         --features gpu"
    ))]
    Without,
    /// There is none, or it failed.
    #[error("--device: {0}")]
    #[diagnostic(help(
        "leave out --device, or install a driver for Vulkan: Mesa has one in software, llvmpipe"
    ))]
    Failed(String),
    /// Lists of the device would be too long.
    #[error("--device: {0}")]
    #[diagnostic(help(
        "lower --pixels or raise --pixel-length for larger pixels, or leave out --device"
    ))]
    Memory(String),
}

/// What a device did for all pairs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceCost {
    /// The name of the adapter.
    pub name: String,
    /// Lines and boxes that it drew.
    pub records: u64,
    /// Different pairs of features that it handed on.
    pub handed_on: usize,
    /// Those of them that the screen finds without it too.
    pub confirmed: usize,
}

#[cfg(feature = "gpu")]
pub use on_device::Device;
#[cfg(not(feature = "gpu"))]
pub use without::Device;

/// What a pair comes to.
pub type Shown = Result<Vec<Vec<chasles::Contact>>, Refused>;

/// What is wrong with a query.
#[derive(Debug)]
pub enum Refused {
    /// With the device.
    Device(DeviceError),
    /// With a pair, by its number.
    Pair(usize, chasles::screen::ScreenError),
}

#[cfg(feature = "gpu")]
mod on_device {
    use chasles::screen::Options;
    use chasles::{Collider, Step};
    use chasles_gpu::{Error, Pair, Screen, Statistics};

    use super::{DeviceCost, DeviceError, Refused, Shown};

    /// A device that finds contacts.
    #[derive(Debug)]
    pub struct Device(Screen);

    impl Device {
        /// The best device whose name contains this.
        ///
        /// *Fails* if there is none.
        pub fn named(part: &str) -> Result<Self, DeviceError> {
            Ok(Self(Screen::new(chasles_gpu::Device::named(part).map_err(failed)?)))
        }

        /// The contacts of all pairs.
        ///
        /// *Fails* as [`Refused`] says.
        pub fn contacts(&mut self, pairs: &[([&Collider; 2], &Step)], options: &Options) -> Shown {
            let pairs: Vec<Pair<'_>> =
                pairs.iter().map(|&(bodies, step)| Pair { bodies, step }).collect();
            self.0.contacts(&pairs, options).map_err(|error| match error {
                Error::Pair { pair, reason } => Refused::Pair(pair, reason),
                other => Refused::Device(failed(other)),
            })
        }

        /// What the last call cost.
        pub fn cost(&self) -> DeviceCost {
            let Statistics { records, candidates, confirmed, .. } = self.0.statistics();
            let name = self.0.device().name().to_string();
            DeviceCost { name, records, handed_on: candidates, confirmed }
        }
    }

    fn failed(error: Error) -> DeviceError {
        match error {
            Error::Memory { .. } => DeviceError::Memory(error.to_string()),
            other => DeviceError::Failed(other.to_string()),
        }
    }
}

#[cfg(not(feature = "gpu"))]
mod without {
    use chasles::screen::Options;
    use chasles::{Collider, Step};

    use super::{DeviceCost, DeviceError, Shown};

    /// No device; there is no such value.
    #[derive(Debug)]
    pub enum Device {}

    impl Device {
        /// *Fails* always: the program was built without devices.
        pub fn named(_: &str) -> Result<Self, DeviceError> {
            Err(DeviceError::Without)
        }

        /// Never called.
        pub fn contacts(&mut self, _: &[([&Collider; 2], &Step)], _: &Options) -> Shown {
            match *self {}
        }

        /// Never called.
        pub fn cost(&self) -> DeviceCost {
            match *self {}
        }
    }
}
