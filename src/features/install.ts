// How the command line comes onto a person's own machine: one line for each kind of shell.

/** Fetches it from the gateway of an origin and checks it; `windows` is for PowerShell. */
export const installLines = (origin: string): { readonly posix: string; readonly windows: string } => ({
  posix: `curl -fsSL ${origin}/scripts/postern.sh | sh`,
  windows: `irm ${origin}/scripts/postern.ps1 | iex`,
});
