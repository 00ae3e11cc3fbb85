//! Memory that questions of one thread share.

use std::cell::RefCell;

use chasles::query::Workspace;

thread_local! {
    static WORKSPACE: RefCell<Workspace> = RefCell::new(Workspace::new());
}

/// Asks with the memory of this thread. Questions never ask others, so it is always free.
pub(crate) fn with<T>(ask: impl FnOnce(&mut Workspace) -> T) -> T {
    WORKSPACE.with_borrow_mut(ask)
}
