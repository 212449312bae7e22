// The text of `npm start -- --help`, from the table of settings.
import { flagOf, variableOf } from './setting.ts';
import { settings } from './table.ts';

/** Lines of at most 110 columns: flag, what it is for, what holds otherwise, and its environment variable. */
export function settingsHelp(): string {
  const rows = Object.values(settings).map(setting => ({
    flag: `  ${flagOf(setting)}${'argument' in setting ? ` ${setting.argument}` : ''}`,
    text: setting.help,
    rest: `${variableOf(setting)}, otherwise: ${setting.otherwise}`,
  }));
  const width = Math.max(...rows.map(row => row.flag.length)) + 2;
  return [
    'Usage: npm start -- [settings]',
    '',
    'Starts the gateway and its console. Every setting may be given as a flag, as an environment variable, or in the',
    'YAML file under its name (--tls-cert is "tls: { cert: … }"). Flags win over variables, variables over the file.',
    '',
    ...rows.flatMap(row => [`${row.flag.padEnd(width)}${row.text}`, `${''.padEnd(width)}${row.rest}`]),
    `${'  --help'.padEnd(width)}This text`,
    `${'  --version'.padEnd(width)}The version`,
    '',
    'npm run postern -- --help lists what the command line does.',
    '',
  ].join('\n');
}
