// What a prepared server's kernel wrote down of one session, as its audit log has it: a line for each program that was to start
// (SYSCALL), and one or more with its arguments (EXECVE).

/** A program that was started. */
export interface KernelCommand {
  readonly time: Date;
  readonly pid: number;
  readonly ppid: number;
  readonly program: string;
  readonly path: string;
  readonly argv: readonly string[];
  /** 0, or the error number with a minus. */
  readonly returnCode: number;
}
export interface KernelRecord {
  readonly commands: readonly KernelCommand[];
  /** There were more, which are left out. */
  readonly isPart: boolean;
}

/** Programs kept of one session: each is an event of the audit log. */
const COMMANDS_MOST = 1000;
const ARGUMENTS_MOST = 100;
const ARGUMENT_MOST_CHARACTERS = 4096;
/** "No such file": a path that was tried on the way to the program. */
const NOT_THERE = -2;

/** A value as the audit log writes it: in quotes, or in hexadecimal where it holds anything odd. */
function textOf(text: string | undefined): string {
  if (text === undefined) return '';
  if (text.startsWith('"')) return text.slice(1, -1);
  return /^(?:[0-9A-F]{2})+$/.test(text) ? Buffer.from(text, 'hex').toString('utf8') : text;
}

/** `name=value` pairs; what the host adds in words of its own (behind a group separator) is left out. */
const fieldsOf = (line: string): ReadonlyMap<string, string> =>
  new Map(
    [...(line.split('\u001d', 1)[0] ?? '').matchAll(/([\w[\]]+)=("[^"]*"|\S*)/g)].map(
      ([, name = '', value = '']) => [name, value] as const,
    ),
  );

function argumentsOf(fields: ReadonlyMap<string, string>): readonly string[] {
  const count = Math.min(ARGUMENTS_MOST, Number(fields.get('argc')) || 0);
  return Array.from({ length: count }, (_, at) => {
    let text = textOf(fields.get(`a${at}`));
    // A long one comes in pieces.
    for (let piece = 0; fields.has(`a${at}[${piece}]`) && text.length < ARGUMENT_MOST_CHARACTERS; piece++)
      text += textOf(fields.get(`a${at}[${piece}]`));
    return text.slice(0, ARGUMENT_MOST_CHARACTERS);
  });
}

/**
 * Reads what the server answered: its clock, then for each log-in `since=` and the lines of the audit log. `now` is this gateway's time when the
 * first of it came: the server's clock may be another. What ran before `since` was the log-in's own doing. Null: it is no such answer.
 */
export function readKernelRecord(text: string, now: Date): KernelRecord | null {
  const [clock = '', ...lines] = text.split('\n');
  if (!/^\d+\.\d{3}$/.test(clock)) return null;
  const ahead = Number(clock) * 1000 - now.getTime();
  const found = new Map<string, ReadonlyMap<string, string>[]>();
  let since = 0;
  for (const line of lines) {
    const [, begin] = /^since=(\d+\.\d{3})$/.exec(line) ?? [];
    if (begin !== undefined) since = Number(begin);
    const [, time, serial] = /^type=(?:SYSCALL|EXECVE) msg=audit\((\d+\.\d{3}):(\d+)\):/.exec(line) ?? [];
    if (time === undefined || Number(time) <= since) continue;
    const id = `${time}:${serial}`;
    found.set(id, [...(found.get(id) ?? []), fieldsOf(line)]);
  }
  const commands = [...found].flatMap(([id, [call, ...rest]]): readonly KernelCommand[] => {
    const returnCode = Number(call?.get('exit'));
    if (call === undefined || !call.has('pid') || returnCode === NOT_THERE) return [];
    const path = textOf(call.get('exe'));
    const argv = argumentsOf(new Map(rest.flatMap(fields => [...fields])));
    return [
      {
        time: new Date(Math.round(Number.parseFloat(id) * 1000 - ahead)),
        pid: Number(call.get('pid')),
        ppid: Number(call.get('ppid')),
        program: textOf(call.get('comm')),
        path,
        argv: argv.length > 0 ? argv : [path],
        returnCode,
      },
    ];
  });
  commands.sort((one, other) => one.time.getTime() - other.time.getTime());
  return { commands: commands.slice(0, COMMANDS_MOST), isPart: commands.length > COMMANDS_MOST };
}
