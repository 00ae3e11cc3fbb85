//! A server of one page, for this machine alone.
//!
//! It listens on loopback, so no other machine reaches it. A page of another site could still ask
//! it through the browser of this machine: by a name that leads here, or from a script. So it
//! answers only what is asked under its own address, in `Host` and, where there is one, in
//! `Origin`.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// The longest head of a request: browsers send some hundred bytes.
const MOST_HEAD: u64 = 16 << 10;

/// How long a client may take for its request, and for taking the answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// What the page may do: its own scripts and workers, and no other address.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; \
                      worker-src blob:; style-src 'unsafe-inline'; img-src data: blob:; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A page, and where it is served.
#[derive(Debug)]
pub(super) struct Server {
    listener: TcpListener,
    page: Arc<str>,
    port: u16,
}

impl Server {
    /// Listens at a port of this machine, or at a free one for 0.
    ///
    /// *Fails* where the port is taken or not allowed.
    pub(super) fn bind(port: u16, page: String) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let port = listener.local_addr()?.port();
        Ok(Self { listener, page: page.into(), port })
    }

    /// The address of the page.
    pub(super) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// Answers until the program ends. A client that is slow holds up no other.
    pub(super) fn run(&self) {
        for stream in self.listener.incoming().flatten() {
            let (page, port) = (Arc::clone(&self.page), self.port);
            // A client that leaves early is no failure of ours.
            thread::spawn(move || drop(answer(&stream, &page, port)));
        }
    }
}

/// Answers one request and closes.
fn answer(stream: &TcpStream, page: &str, port: u16) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let head = head(stream)?;
    let (status, body) = match status(&head, port) {
        OK => (OK, page),
        other => (other, other),
    };
    let kind = if status == OK { "text/html" } else { "text/plain" };
    let mut stream = stream;
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}; charset=utf-8\r\nContent-Length: {}\r\n\
         Content-Security-Policy: {POLICY}\r\nX-Content-Type-Options: nosniff\r\n\
         Cross-Origin-Resource-Policy: same-origin\r\nReferrer-Policy: no-referrer\r\n\
         Cache-Control: no-store\r\nConnection: close\r\n\r\n",
        body.len()
    )?;
    // What HEAD asks for ends here.
    if !head.first().is_some_and(|line| line.starts_with("HEAD ")) {
        stream.write_all(body.as_bytes())?;
    }
    stream.flush()
}

/// The lines of a request up to the empty one.
fn head(stream: &TcpStream) -> io::Result<Vec<String>> {
    let mut lines = Vec::new();
    let mut reader = BufReader::new(stream.take(MOST_HEAD));
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let line = line.trim_end();
        if line.is_empty() {
            return Ok(lines);
        }
        lines.push(line.to_string());
    }
}

const OK: &str = "200 OK";

/// The status of the answer to a request.
fn status(head: &[String], port: u16) -> &'static str {
    let mut words = head.first().map_or("", String::as_str).split(' ');
    let (method, path) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    let is_ours = |host: &str| leads_here(host, port);
    let mut hosts = values(head, "host");
    let host = hosts.next();
    if !host.is_some_and(is_ours) || hosts.next().is_some() {
        return "403 Forbidden";
    }
    let is_own = |origin: &str| origin.strip_prefix("http://").is_some_and(is_ours);
    if !values(head, "origin").all(is_own) {
        return "403 Forbidden";
    }
    if !["GET", "HEAD"].contains(&method) {
        return "405 Method Not Allowed";
    }
    match path.split('?').next() {
        Some("/") => OK,
        _ => "404 Not Found",
    }
}

/// Whether a host, with its port, is this server; browsers leave out the usual port.
fn leads_here(host: &str, port: u16) -> bool {
    let (name, given) = host.split_once(':').unwrap_or((host, "80"));
    let is_here = ["127.0.0.1", "localhost"].iter().any(|one| one.eq_ignore_ascii_case(name));
    is_here && given == port.to_string()
}

/// The values of a field of the head.
fn values<'h>(head: &'h [String], name: &'static str) -> impl Iterator<Item = &'h str> {
    let fields = head.iter().skip(1).filter_map(|line| line.split_once(':'));
    fields.filter(move |(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a running server answers to these lines.
    fn asked(lines: &[&str]) -> String {
        let server = Server::bind(0, "<p>the page</p>".to_string()).expect("a free port");
        let port = server.port;
        thread::spawn(move || server.run());
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).expect("it listens");
        let lines = lines.join("\r\n").replace("PORT", &port.to_string());
        stream.write_all(format!("{lines}\r\n\r\n").as_bytes()).expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        answer
    }

    #[test]
    fn the_page_is_served_under_its_own_address() {
        for host in ["Host: 127.0.0.1:PORT", "host: LOCALHOST:PORT"] {
            let answer = asked(&["GET / HTTP/1.1", host]);
            assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
            assert!(answer.ends_with("\r\n\r\n<p>the page</p>"), "{answer}");
            assert!(answer.contains("Content-Length: 15\r\n"), "{answer}");
        }
        let own = "Origin: http://127.0.0.1:PORT";
        assert!(asked(&["GET /?x HTTP/1.1", "Host: 127.0.0.1:PORT", own]).contains("200 OK"));
        let head = asked(&["HEAD / HTTP/1.1", "Host: 127.0.0.1:PORT"]);
        assert!(head.contains("200 OK") && head.ends_with("\r\n\r\n"), "{head}");
    }

    #[test]
    fn what_comes_from_elsewhere_is_refused() {
        let ours = "Host: 127.0.0.1:PORT";
        for (lines, status) in [
            (&["GET / HTTP/1.1", "Host: evil.example:PORT"][..], "403"),
            (&["GET / HTTP/1.1", "Host: 127.0.0.1"], "403"),
            (&["GET / HTTP/1.1"], "403"),
            (&["GET / HTTP/1.1", ours, "Host: evil.example"], "403"),
            (&["GET / HTTP/1.1", ours, "Origin: http://evil.example"], "403"),
            (&["GET / HTTP/1.1", ours, "Origin: null"], "403"),
            (&["GET / HTTP/1.1", ours, "Origin: https://127.0.0.1:PORT"], "403"),
            (&["POST / HTTP/1.1", ours], "405"),
            (&["GET /etc/passwd HTTP/1.1", ours], "404"),
            (&["GET", ours], "404"),
        ] {
            let answer = asked(lines);
            assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{lines:?}: {answer}");
            assert!(!answer.contains("the page"), "{answer}");
        }
    }

    #[test]
    fn the_usual_port_may_be_left_out() {
        assert!(leads_here("127.0.0.1", 80) && leads_here("localhost:80", 80));
        for host in ["127.0.0.1:8080", "127.0.0.1:080", "127.0.0.1:", "[::1]", "127.0.0.1.evil"] {
            assert!(!leads_here(host, 80), "{host}");
        }
        assert!(!leads_here("127.0.0.1", 8080));
    }

    #[test]
    fn a_head_without_end_is_not_kept() {
        let server = Server::bind(0, String::new()).expect("a free port");
        let port = server.port;
        thread::spawn(move || server.run());
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).expect("it listens");
        // The server may close before all of it is there.
        let _ = stream.write_all(&[b'a'; 1 << 15]);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        assert!(answer.is_empty());
    }
}
