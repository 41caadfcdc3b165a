//! The `prereg` binary.
fn main() -> std::process::ExitCode {
    prereg_cli::main()
}
