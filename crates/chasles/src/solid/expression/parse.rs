//! From the text of a formula to a tape.
//!
//! ```text
//!      sum      product { (+ | -) product }
//!      product  signed { (* | /) signed }
//!      signed   { - | + } power
//!      power    atom [ ^ signed ]                  2^-x, and x^y^z = x^(y^z); -x^2 = -(x^2)
//!      atom     number | x | y | z | pi | tau | e | name ( sum { , sum } ) | ( sum )
//! ```
//!
//! Numbers mean what they say: `0.1` is a tenth, which lies between two doubles, and the tape has
//! that interval. A power with a whole exponent has any base; other powers need one that is not
//! negative. Spaces and line ends may stand between all of these.
//!
//! *Accepts* any text. *Guarantees* a tape or an error that points at a character, in time linear
//! in the text, with no more than [`MAX_DEPTH`] nested calls. *Fails* on texts beyond
//! [`MAX_LENGTH`].

use super::error::{Expected, ParseError, ParseErrorKind};
use super::tape::{Binary, Builder, Op, Tape, Unary};
use crate::numeric::Interval;

/// The longest text, in bytes: ten thousand operations, far more than anyone writes.
pub(super) const MAX_LENGTH: usize = 65_536;

/// How deep parentheses, calls and exponents may be nested: a few hundred bytes of stack each.
pub(super) const MAX_DEPTH: usize = 200;

/// Whole exponents up to here are powers of any base; a million is beyond the range of doubles
/// but next to 1.
const LARGEST_POWER: f64 = 1_000_000.0;

/// The tape of a text.
pub(super) fn parse(text: &str) -> Result<Tape, ParseError> {
    let mut parser = Parser { text, at: 0, depth: 0, builder: Builder::default() };
    if text.len() > MAX_LENGTH {
        return Err(parser.error(0, ParseErrorKind::TooLong { length: text.len() }));
    }
    let result = parser.sum()?;
    match parser.peek() {
        None => Ok(parser.builder.finish(result)),
        Some(_) => Err(parser.expected(Expected::Operator)),
    }
}

struct Parser<'a> {
    text: &'a str,
    /// The byte that comes next.
    at: usize,
    depth: usize,
    builder: Builder,
}

type Slot = Result<u32, ParseError>;

impl<'a> Parser<'a> {
    /// The next character that is not a space.
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        rest.trim_start().chars().next()
    }

    /// Whether the next character is this one, which is then passed.
    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    fn error(&self, at: usize, kind: ParseErrorKind) -> ParseError {
        ParseError::new(self.text, at, kind)
    }

    /// The error that something else should stand here.
    fn expected(&mut self, expected: Expected) -> ParseError {
        let found = self.peek();
        self.error(self.at, ParseErrorKind::Unexpected { found, expected })
    }

    fn one(&mut self, unary: Unary, a: u32) -> u32 {
        self.builder.push(Op::One(unary, a))
    }

    fn two(&mut self, binary: Binary, a: u32, b: u32) -> u32 {
        self.builder.push(Op::Two(binary, a, b))
    }

    fn sum(&mut self) -> Slot {
        let mut sum = self.product()?;
        loop {
            let kind = match self.peek() {
                Some('+') => Binary::Add,
                Some('-') => Binary::Sub,
                _ => return Ok(sum),
            };
            self.at += 1;
            let next = self.product()?;
            sum = self.two(kind, sum, next);
        }
    }

    fn product(&mut self) -> Slot {
        let mut product = self.signed()?;
        loop {
            let kind = match self.peek() {
                Some('*') => Binary::Mul,
                Some('/') => Binary::Div,
                _ => return Ok(product),
            };
            self.at += 1;
            let next = self.signed()?;
            product = self.two(kind, product, next);
        }
    }

    fn signed(&mut self) -> Slot {
        let mut minus = false;
        loop {
            if self.take('-') {
                minus = !minus;
            } else if !self.take('+') {
                break;
            }
        }
        let power = self.power()?;
        Ok(if minus { self.one(Unary::Neg, power) } else { power })
    }

    fn power(&mut self) -> Slot {
        let base = self.atom()?;
        if !self.take('^') {
            return Ok(base);
        }
        let exponent = self.nested(Self::signed)?;
        Ok(self.raised(base, exponent))
    }

    fn raised(&mut self, base: u32, exponent: u32) -> u32 {
        match self.builder.known(exponent) {
            Some(value) if value == Interval::point(1.0) => base,
            Some(value) if value == Interval::point(2.0) => self.one(Unary::Square, base),
            Some(value) if value == Interval::point(0.5) => self.one(Unary::Sqrt, base),
            Some(Interval { low, high }) if low == high && is_whole(low) => {
                self.one(Unary::Power(low as i32), base)
            }
            _ => self.two(Binary::Pow, base, exponent),
        }
    }

    /// What stands one level deeper.
    fn nested<R>(
        &mut self,
        inner: impl FnOnce(&mut Self) -> Result<R, ParseError>,
    ) -> Result<R, ParseError> {
        if self.depth >= MAX_DEPTH {
            return Err(self.error(self.at, ParseErrorKind::TooDeep));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    fn atom(&mut self) -> Slot {
        match self.peek() {
            Some('(') => {
                self.at += 1;
                let inner = self.nested(Self::sum)?;
                if self.take(')') { Ok(inner) } else { Err(self.expected(Expected::Closing)) }
            }
            Some('0'..='9' | '.') => self.number(),
            Some('a'..='z' | 'A'..='Z' | '_') => self.name(),
            _ => Err(self.expected(Expected::Operand)),
        }
    }

    /// The text from here up to the first byte that does not belong to it.
    fn run_of(&self, belongs: impl Fn(u8) -> bool) -> &'a str {
        let rest = &self.text[self.at..];
        let length = rest.bytes().position(|byte| !belongs(byte)).unwrap_or(rest.len());
        &rest[..length]
    }

    fn number(&mut self) -> Slot {
        let start = self.at;
        let digits = |parser: &mut Self| {
            let run = parser.run_of(|byte| byte.is_ascii_digit());
            parser.at += run.len();
            run
        };
        let whole = digits(self);
        let has_point = self.text[self.at..].starts_with('.');
        self.at += usize::from(has_point);
        let fraction = if has_point { digits(self) } else { "" };
        self.exponent();
        let written = &self.text[start..self.at];
        let value = written.parse::<f64>().ok().filter(|value| value.is_finite());
        match value {
            Some(value) if !(whole.is_empty() && fraction.is_empty()) => {
                Ok(self.builder.constant(meant(written, value)))
            }
            _ => Err(self.error(start, ParseErrorKind::Number { written: written.to_owned() })),
        }
    }

    /// Passes an exponent: an `e` that no digit follows is none, but the constant.
    fn exponent(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        let sign = usize::from(matches!(rest.get(1), Some(b'+' | b'-')));
        if matches!(rest.first(), Some(b'e' | b'E'))
            && rest.get(1 + sign).is_some_and(u8::is_ascii_digit)
        {
            self.at += 1 + sign;
            self.at += self.run_of(|byte| byte.is_ascii_digit()).len();
        }
    }

    fn name(&mut self) -> Slot {
        let start = self.at;
        let name = self.run_of(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        self.at += name.len();
        match name {
            "x" => return Ok(0),
            "y" => return Ok(1),
            "z" => return Ok(2),
            "pi" => return Ok(self.builder.constant(Interval::PI)),
            "tau" => return Ok(self.builder.constant(Interval::TAU)),
            "e" => return Ok(self.builder.constant(Interval::E)),
            _ => {}
        }
        let known = FUNCTIONS.iter().find(|(known, ..)| *known == name);
        let Some(&(_, function, [least, most])) = known else {
            let name = name.to_owned();
            return Err(self.error(start, ParseErrorKind::UnknownName { name }));
        };
        if !self.take('(') {
            return Err(self.expected(Expected::Opening));
        }
        let arguments = self.nested(Self::arguments)?;
        if arguments.len() < least || arguments.len() > most {
            let kind = ParseErrorKind::Arguments {
                name: name.to_owned(),
                found: arguments.len(),
                expected: [least, most],
            };
            return Err(self.error(start, kind));
        }
        Ok(self.call(function, &arguments))
    }

    fn arguments(&mut self) -> Result<Vec<u32>, ParseError> {
        let mut arguments = vec![self.sum()?];
        while self.take(',') {
            arguments.push(self.sum()?);
        }
        if self.take(')') { Ok(arguments) } else { Err(self.expected(Expected::ArgumentEnd)) }
    }

    /// A function of as many arguments as it needs.
    fn call(&mut self, function: Function, arguments: &[u32]) -> u32 {
        match function {
            Function::One(unary) => self.one(unary, arguments[0]),
            Function::Clamp => {
                let raised = self.two(Binary::Max, arguments[0], arguments[1]);
                self.two(Binary::Min, raised, arguments[2])
            }
            Function::Fold(binary) => {
                let rest = arguments[1..].iter();
                rest.fold(arguments[0], |folded, &next| self.two(binary, folded, next))
            }
        }
    }
}

/// How a function becomes operations.
#[derive(Clone, Copy)]
enum Function {
    One(Unary),
    /// Of the first two arguments, then of the result and the next one, and so on.
    Fold(Binary),
    Clamp,
}

/// Functions, with the least and the largest number of arguments.
const FUNCTIONS: [(&str, Function, [usize; 2]); 18] = [
    ("abs", Function::One(Unary::Abs), [1, 1]),
    ("acos", Function::One(Unary::Acos), [1, 1]),
    ("asin", Function::One(Unary::Asin), [1, 1]),
    ("atan", Function::One(Unary::Atan), [1, 1]),
    ("atan2", Function::Fold(Binary::Atan2), [2, 2]),
    ("clamp", Function::Clamp, [3, 3]),
    ("cos", Function::One(Unary::Cos), [1, 1]),
    ("exp", Function::One(Unary::Exp), [1, 1]),
    ("floor", Function::One(Unary::Floor), [1, 1]),
    ("hypot", Function::Fold(Binary::Hypot), [2, usize::MAX]),
    ("length", Function::Fold(Binary::Hypot), [2, usize::MAX]),
    ("ln", Function::One(Unary::Ln), [1, 1]),
    ("max", Function::Fold(Binary::Max), [2, usize::MAX]),
    ("min", Function::Fold(Binary::Min), [2, usize::MAX]),
    ("mod", Function::Fold(Binary::Modulo), [2, 2]),
    ("sin", Function::One(Unary::Sin), [1, 1]),
    ("sqrt", Function::One(Unary::Sqrt), [1, 1]),
    ("tan", Function::One(Unary::Tan), [1, 1]),
];

/// The names of all functions, in order.
pub(super) fn functions() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|(name, ..)| *name)
}

fn is_whole(value: f64) -> bool {
    value.fract() == 0.0 && value.abs() <= LARGEST_POWER
}

/// The numbers that a decimal may stand for, given the nearest double.
///
/// With `m` the digits as a whole number below `2^53` and `10^k` a double, so `k <= 22`, the
/// decimal `m / 10^k` or `m 10^k` is that double exactly if a fused product and difference is zero.
fn meant(written: &str, value: f64) -> Interval {
    let near = Interval::point(value).outward();
    let (mantissa, exponent) = written.split_once(['e', 'E']).unwrap_or((written, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}").parse::<u64>();
    let (Ok(digits), Ok(exponent)) = (digits, exponent.parse::<i32>()) else { return near };
    let places = i64::from(exponent) - fraction.len() as i64;
    if digits >= 1 << 53 || places.abs() > 22 {
        return if digits == 0 { Interval::point(0.0) } else { near };
    }
    let power: f64 = format!("1e{}", places.abs()).parse().expect("a power of ten");
    let rest = if places < 0 {
        value.mul_add(power, -(digits as f64))
    } else {
        (digits as f64).mul_add(power, -value)
    };
    if rest == 0.0 { Interval::point(value) } else { near }
}
