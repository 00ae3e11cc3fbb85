//! How large a picture is, checked once.

use thiserror::Error;

/// Why a picture cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PictureError {
    /// A side is zero or too long, or there are too many pixels in all.
    #[error(
        "a picture of {width} x {height} pixels cannot be made: each side must be 1 to {} pixels \
         and the picture at most {} pixels in all",
        Size::MAX_SIDE,
        Size::MAX_PIXELS
    )]
    Size {
        /// The width asked for.
        width: u32,
        /// The height asked for.
        height: u32,
    },
}

/// Width and height of a picture in pixels; within the limits, always.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    width: u32,
    height: u32,
}

impl Size {
    /// The longest side: a page of A4 at 700 dots per inch.
    pub const MAX_SIDE: u32 = 8192;

    /// The most pixels in all; an image then takes at most 128 MiB.
    pub const MAX_PIXELS: u32 = 1 << 25;

    /// A size in pixels.
    ///
    /// *Fails* when a side is zero or above [`Size::MAX_SIDE`], or the area above
    /// [`Size::MAX_PIXELS`].
    ///
    /// ```
    /// use chasles_picture::Size;
    /// assert!(Size::new(1200, 800).is_ok());
    /// assert!(Size::new(0, 800).is_err());
    /// assert!(Size::new(8192, 8192).is_err());
    /// ```
    pub fn new(width: u32, height: u32) -> Result<Self, PictureError> {
        let side = 1..=Self::MAX_SIDE;
        let fits = side.contains(&width) && side.contains(&height);
        if fits && width * height <= Self::MAX_PIXELS {
            Ok(Self { width, height })
        } else {
            Err(PictureError::Size { width, height })
        }
    }

    /// Pixels in a row.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Pixels in a column.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The length that text, lines and margins are measured in: 1 pixel in a picture whose shorter
    /// side has 800. Below a half, text could not be read.
    pub(crate) fn unit(&self) -> f64 {
        (f64::from(self.width.min(self.height)) / 800.0).max(0.5)
    }
}
