//! Finding an adapter, and what it is asked to do.

use wgpu::{Adapter, DeviceType, Limits};

use crate::error::Error;

/// Passes need so many buffers at once.
const BUFFERS: u32 = 8;

/// Threads in a group, as in the shader.
pub(crate) const GROUP: u32 = 128;

/// A device that computes.
#[derive(Clone, Debug)]
pub struct Device {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    name: String,
}

impl Device {
    /// The best device there is: graphics hardware of its own before that of the processor, and
    /// both before software.
    ///
    /// *Accepts* any machine. *Guarantees* the same choice on the same machine. *Cost* up to some
    /// tenths of a second. *Fails* if there is no adapter that can compute, or if it gives no
    /// device.
    pub fn new() -> Result<Self, Error> {
        Self::named("")
    }

    /// The best device whose name contains this, whatever the case: `llvmpipe` is Mesa's in
    /// software.
    ///
    /// *Guarantees*, *Cost* and *Fails* as [`Device::new`].
    pub fn named(part: &str) -> Result<Self, Error> {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        descriptor.backends = wgpu::Backends::VULKAN;
        let instance = wgpu::Instance::new(descriptor);
        let all = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::VULKAN));
        let lacks = |adapter: &Adapter| lack(adapter, part);
        let best = all.iter().filter(|a| lacks(a).is_none()).min_by_key(|a| rank(a));
        let Some(adapter) = best else {
            let seen = |a: &Adapter| Some(format!("{}: {}", name(a), lacks(a)?));
            return Err(Error::NoAdapter { seen: all.iter().filter_map(seen).collect() });
        };
        Self::of(adapter)
    }

    fn of(adapter: &Adapter) -> Result<Self, Error> {
        let has = adapter.limits();
        let required_limits = Limits {
            max_storage_buffer_binding_size: has.max_storage_buffer_binding_size,
            max_buffer_size: has.max_buffer_size,
            ..Limits::downlevel_defaults()
        };
        let required_limits =
            Limits { max_storage_buffers_per_shader_stage: BUFFERS, ..required_limits };
        let descriptor = wgpu::DeviceDescriptor { required_limits, ..Default::default() };
        let name = name(adapter);
        match pollster::block_on(adapter.request_device(&descriptor)) {
            Ok((device, queue)) => Ok(Self { device, queue, name }),
            Err(e) => Err(Error::NoDevice { adapter: name, reason: e.to_string() }),
        }
    }

    /// The name of the adapter, with its kind and its driver. *Cost* constant. *Fails* never.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// No list can have more bytes.
    pub(crate) fn longest(&self) -> u64 {
        let limits = self.device.limits();
        limits.max_buffer_size.min(limits.max_storage_buffer_binding_size)
    }

    /// Begins to catch errors of the device, which would end the program otherwise.
    pub(crate) fn scopes(&self) -> [wgpu::ErrorScopeGuard; 3] {
        use wgpu::ErrorFilter::{Internal, OutOfMemory, Validation};
        [OutOfMemory, Validation, Internal].map(|filter| self.device.push_error_scope(filter))
    }

    /// The first error that was caught, if any was.
    pub(crate) fn close(&self, scopes: [wgpu::ErrorScopeGuard; 3]) -> Result<(), Error> {
        let caught = scopes.into_iter().rev().map(|scope| pollster::block_on(scope.pop()));
        match caught.flatten().last() {
            Some(error) => Err(self.failed(error)),
            None => Ok(()),
        }
    }

    pub(crate) fn failed(&self, reason: impl ToString) -> Error {
        Error::Failed { adapter: self.name.clone(), reason: reason.to_string() }
    }
}

fn name(adapter: &Adapter) -> String {
    let info = adapter.get_info();
    format!("{} ({:?}, {} {})", info.name, info.device_type, info.driver, info.driver_info)
}

/// What an adapter lacks; `None` if it can be used.
fn lack(adapter: &Adapter, part: &str) -> Option<String> {
    let limits = adapter.limits();
    if !adapter.get_info().name.to_lowercase().contains(&part.to_lowercase()) {
        return Some(format!("its name does not contain {part}"));
    }
    let buffers = limits.max_storage_buffers_per_shader_stage;
    let threads = limits.max_compute_invocations_per_workgroup;
    if buffers < BUFFERS {
        return Some(format!("{buffers} storage buffers, where {BUFFERS} are needed"));
    }
    (threads < GROUP).then(|| format!("groups of {threads} threads, where {GROUP} are needed"))
}

fn rank(adapter: &Adapter) -> u32 {
    match adapter.get_info().device_type {
        DeviceType::DiscreteGpu => 0,
        DeviceType::IntegratedGpu => 1,
        DeviceType::VirtualGpu => 2,
        DeviceType::Other => 3,
        DeviceType::Cpu => 4,
    }
}
