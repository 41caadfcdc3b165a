//! How sessions run, in words.

use prereg_declaration::{Declaration, Order, Protocol, Sync};
use prereg_units::Dimension;

use crate::markdown::code;
use crate::number;

/// Sessions, order, steps, environment, time-out and blocks.
pub(super) fn lines(declaration: &Declaration) -> Vec<String> {
    let protocol = &declaration.protocol;
    let is_command = declaration.workload.command().is_some();
    let mut lines = if is_command {
        slots_of_a_program(protocol)
    } else {
        slots_of_decode(protocol)
    };
    lines.insert(1, order(protocol.order).to_owned());
    lines.push(surroundings(protocol, is_command));
    lines.push(format!(
        "A session is ended after {}. Seed {}.",
        number::measured(protocol.timeout.as_secs_f64(), Dimension::TIME),
        code(&protocol.seed)
    ));
    lines.push(if protocol.same_code {
        "A run under other code than the lock's is refused.".to_owned()
    } else {
        "A run under other code than the lock's is allowed and listed as a deviation.".to_owned()
    });
    if protocol.blocks > 1 {
        lines.push(format!(
            "In {} blocks of {} sessions, each block at least {} after the one before.",
            protocol.blocks,
            protocol.sessions / protocol.blocks,
            number::measured(protocol.min_gap.as_secs_f64(), Dimension::TIME)
        ));
    }
    lines
}

fn order(order: Order) -> &'static str {
    match order {
        Order::Mirror => {
            "Order `mirror`: a seeded permutation of the arms, then its reverse; every second session starts reversed."
        }
    }
}

fn slots_of_decode(protocol: &Protocol) -> Vec<String> {
    let mut lines = vec![
        format!(
            "{} sessions, each a fresh process in which every arm runs on the same weights and inputs.",
            protocol.sessions
        ),
        format!(
            "{} discarded warm-up steps before each slot; {} timed steps per arm and session, half in each of its two slots.",
            protocol.warmup_steps, protocol.measured_steps
        ),
    ];
    let sync = protocol.sync.map(|sync| match sync {
        Sync::PerStep => "The host waits after every step.",
        Sync::PerSlot => "The host waits once a slot.",
    });
    lines.extend(sync.map(str::to_owned));
    lines
}

fn slots_of_a_program(protocol: &Protocol) -> Vec<String> {
    vec![
        format!(
            "{}; every arm runs in each of them, in two slots, and each slot is a fresh process.",
            match protocol.sessions {
                1 => "1 session".to_owned(),
                sessions => format!("{sessions} sessions"),
            }
        ),
        format!(
            "{} observations per arm and session, half in each of its two slots; a slot that gives another number makes its session missing.",
            protocol.measured_steps
        ),
        "The program warms up by itself, and decides itself when it waits for a device.".to_owned(),
    ]
}

fn surroundings(protocol: &Protocol, is_command: bool) -> String {
    let threads = match protocol.threads {
        Some(threads) if is_command => format!("`{{threads}}` is {threads}; "),
        Some(threads) => format!("{threads} worker threads, "),
        None => String::new(),
    };
    let affinity = if protocol.affinity.is_empty() {
        "not pinned".to_owned()
    } else {
        let list: Vec<String> = protocol.affinity.iter().map(u32::to_string).collect();
        format!("pinned to processors {}", list.join(", "))
    };
    let names: Vec<String> = protocol.environment.iter().map(|name| code(name)).collect();
    let environment = if names.is_empty() {
        "none of the caller's environment variables".to_owned()
    } else {
        format!(
            "of the caller's environment variables only {}",
            names.join(", ")
        )
    };
    let (pinned, sees) = if is_command {
        (format!("the program is {affinity}"), "it")
    } else {
        (affinity, "a session")
    };
    let text = format!("{threads}{pinned}; {sees} sees {environment}.");
    if threads.is_empty() && is_command {
        text.replacen("the program", "The program", 1)
    } else {
        text
    }
}
