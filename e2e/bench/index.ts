// `npm run bench`: measures the product beside its references and prints a table. `npm run bench -- socket console` runs a part.
import { cpus, totalmem } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import type { Row } from './row.ts';

/** What loads each, and answers what measures it. */
const parts: Readonly<Record<string, () => Promise<() => Promise<readonly Row[]>>>> = {
  rest: async () => (await import('./rest.ts')).benchRest,
  socket: async () => (await import('./socket.ts')).benchSocket,
  crowd: async () => (await import('./crowd.ts')).benchCrowd,
  cuts: async () => (await import('./cuts.ts')).benchCuts,
  kills: async () => (await import('./kills.ts')).benchKills,
  store: async () => (await import('./store.ts')).benchStore,
  audit: () => audit(1_000_000, 20),
  'audit-10m': () => audit(10_000_000, 60),
  recordings: async () => (await import('./recordings.ts')).benchRecordings,
  'recording-size': async () => (await import('./recording-size.ts')).benchRecordingSize,
  'recordings-search': async () => (await import('./recordings-search.ts')).benchRecordingsSearch,
  ssh: async () => (await import('./ssh.ts')).benchSsh,
  reach: async () => (await import('./reach.ts')).benchReach,
  'tunnels-held': async () => (await import('./reach.ts')).benchTunnelsHeld,
  files: async () => (await import('./files.ts')).benchFiles,
  leaf: async () => (await import('./leaf.ts')).benchLeaf,
  run: async () => (await import('./run.ts')).benchRun,
  databases: async () => (await import('./databases.ts')).benchDatabases,
  'other-databases': async () => (await import('./other-databases.ts')).benchOtherDatabases,
  kubernetes: async () => (await import('./kubernetes.ts')).benchKubernetes,
  applications: async () => (await import('./applications.ts')).benchApplications,
  prompt: async () => (await import('./prompt.ts')).benchPrompt,
  container: async () => (await import('./prompt.ts')).benchContainer,
  rights: async () => (await import('./rights.ts')).benchRights,
  names: async () => (await import('./names.ts')).benchNames,
  desktops: async () => (await import('./desktops.ts')).benchDesktops,
  'first-load': async () => (await import('./first-load.ts')).benchFirstLoad,
  console: async () => (await import('./console.ts')).benchConsole,
  route: async () => (await import('./route.ts')).benchRoute,
  'terminal-page': async () => (await import('./terminal-page.ts')).benchTerminalPage,
  scroll: async () => (await import('./scroll.ts')).benchScroll,
  hostile: async () => (await import('./hostile.ts')).benchHostile,
};

const audit = async (events: number, targetMs: number) => {
  const { benchAudit } = await import('./audit.ts');
  return () => benchAudit(events, targetMs);
};

/** Parts that take long and run only when they are named. */
const long: ReadonlySet<string> = new Set(['audit-10m', 'cuts', 'hostile', 'kills']);
const wanted = process.argv.slice(2);
const unknown = wanted.filter(name => !(name in parts));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. Parts: ${Object.keys(parts).join(', ')}`);
  process.exit(1);
}

const rows: Row[] = [];
for (const [name, load] of Object.entries(parts)) {
  if (wanted.length > 0 ? !wanted.includes(name) : long.has(name)) continue;
  console.error(`measuring ${name} …`);
  // As the gateway is started (start.mjs): what is measured within this process is to have the memory that it has there.
  setFlagsFromString('--semi-space-growth-factor=1');
  const measure = await load();
  setFlagsFromString('--semi-space-growth-factor=2');
  rows.push(...(await measure()));
}

const cells = [
  ['What', 'Target', 'Measured', 'Reference in the same run'],
  ...rows.map(row => [row.what, row.target, row.measured, row.reference]),
];
const widths = [0, 1, 2, 3].map(column => Math.max(...cells.map(line => line[column]?.length ?? 0)));
const line = (words: readonly string[]) =>
  `| ${words.map((word, column) => word.padEnd(widths[column] ?? 0)).join(' | ')} |`;
const [head, ...body] = cells;
console.log(
  `${cpus().length} × ${cpus()[0]?.model ?? 'processor'}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}`,
);
console.log([line(head ?? []), line(widths.map(width => '-'.repeat(width))), ...body.map(line)].join('\n'));
process.exit(0);
