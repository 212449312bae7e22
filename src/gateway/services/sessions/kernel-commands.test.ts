import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import type { AuditEntry } from '../../ports/audit.ts';
import type { KernelKind } from '../../ports/rights.ts';
import type { Connector, OpenRequest, Target } from '../../ports/servers.ts';
import { createRecordings } from '../recordings/recordings.ts';
import { readKernelRecord } from './kernel-record.ts';
import { brokerOver, createShell, createSubscriber, person, server, size } from './sessions.testing.ts';

const folder = mkdtempSync(join(tmpdir(), 'postern-kernel-'));
const recordings = createRecordings({ folder });
afterAll(async () => {
  await recordings.close();
  rmSync(folder, { recursive: true });
});

/** As a server of Debian 12 answered, but for what is never looked at. */
const ANSWER = `1795392515.650
since=1795392513.417
type=SYSCALL msg=audit(1795392513.297:351): arch=c000003e syscall=59 success=yes exit=0 items=3 ppid=30908 pid=30955 auid=0 tty=(none) ses=6 comm="uname" exe="/usr/bin/uname" key="postern"\u001dARCH=x86_64 SYSCALL=execve AUID="root"
type=EXECVE msg=audit(1795392513.297:351): argc=2 a0="uname" a1="-snrvm"
type=SYSCALL msg=audit(1795392513.521:374): arch=c000003e syscall=59 success=no exit=-2 items=1 ppid=30989 pid=30990 auid=0 tty=(none) ses=6 comm="env" exe="/usr/bin/env" key="postern"\u001dARCH=x86_64
type=SYSCALL msg=audit(1795392514.750:390): arch=c000003e syscall=59 success=yes exit=0 items=2 ppid=30989 pid=31001 auid=0 tty=pts0 ses=6 comm="printf" exe="/usr/bin/printf" key="postern"\u001dARCH=x86_64
type=EXECVE msg=audit(1795392514.750:390): argc=3 a0="printf" a1=78097920C3BC0A a2_len=6 a2[0]="abc" a2[1]="def"
type=SYSCALL msg=audit(1795392514.650:388): arch=c000003e syscall=59 success=no exit=-13 items=2 ppid=30989 pid=31000 auid=0 tty=pts0 ses=6 comm="bash" exe="/usr/bin/bash" key="postern"\u001dARCH=x86_64
`;
/** The gateway's clock is half an hour behind that of the server. */
const now = new Date(1795392515650 - 1_800_000);

test('the record of a kernel is read with its odd and long arguments, without what the log-in did and paths that were only tried', () => {
  expect(readKernelRecord(ANSWER, now)).toEqual({
    isPart: false,
    files: [],
    connections: [],
    commands: [
      {
        time: new Date(1795392514650 - 1_800_000),
        pid: 31000,
        ppid: 30989,
        program: 'bash',
        path: '/usr/bin/bash',
        argv: ['/usr/bin/bash'],
        returnCode: -13,
      },
      {
        time: new Date(1795392514750 - 1_800_000),
        pid: 31001,
        ppid: 30989,
        program: 'printf',
        path: '/usr/bin/printf',
        argv: ['printf', 'x\ty ü\n', 'abcdef'],
        returnCode: 0,
      },
    ],
  });
});

/** As a server of Debian 12 answered, but for what is never looked at; the last line of an IPv6 address is made after it. */
const DEEDS = `1795443988.426
since=1795443988.086
type=SYSCALL msg=audit(1795443988.302:2319): arch=c000003e syscall=257 success=yes exit=3 a0=ffffff9c a1=556744314a10 a2=241 a3=1b6 items=2 ppid=8063 pid=8080 ses=7 comm="bash" exe="/usr/bin/bash" key="postern-disk"\u001dARCH=x86_64 SYSCALL=openat
type=CWD msg=audit(1795443988.302:2319): cwd="/tmp"\u001d
type=PATH msg=audit(1795443988.302:2319): item=0 name="/tmp" inode=260072 nametype=PARENT cap_fp=0\u001dOUID="root"
type=PATH msg=audit(1795443988.302:2319): item=1 name="h8-rel.txt" inode=2146340 nametype=CREATE cap_fp=0\u001dOUID="root"
type=SYSCALL msg=audit(1795443988.310:2380): arch=c000003e syscall=257 success=no exit=-13 a0=ffffff9c a1=7ffe1de87de3 a2=0 a3=0 items=1 ppid=8186 pid=8187 ses=7 comm="cat" exe="/usr/bin/cat" key="postern-disk"\u001dARCH=x86_64
type=CWD msg=audit(1795443988.310:2380): cwd="/tmp"\u001d
type=PATH msg=audit(1795443988.310:2380): item=0 name="/etc/shadow" inode=2199393 nametype=NORMAL cap_fp=0\u001dOUID="root"
type=SYSCALL msg=audit(1795443988.322:2386): arch=c000003e syscall=42 success=no exit=-111 a0=3 a1=55b702582da0 a2=10 a3=7f5e3de50a08 items=0 ppid=8080 pid=8188 ses=7 comm="perl" exe="/usr/bin/perl" key="postern-network"\u001dARCH=x86_64
type=SOCKADDR msg=audit(1795443988.322:2386): saddr=020000097F0000010000000000000000\u001dSADDR={ saddr_fam=inet laddr=127.0.0.1 lport=9 }
type=SYSCALL msg=audit(1795443988.323:2387): arch=c000003e syscall=42 success=no exit=-1 a0=3 a2=1c items=0 ppid=8080 pid=8189 comm="perl" exe="/usr/bin/perl" key="postern-network"
type=SOCKADDR msg=audit(1795443988.323:2387): saddr=0A0001BB0000000020010DB800000000000000000000000100000000\u001dSADDR={ saddr_fam=inet6 }
`;

test('the record of a kernel says which files programs opened, from where they were, and where they connected', () => {
  const record = readKernelRecord(DEEDS, new Date(1795443988426));
  expect(record).toMatchObject({
    commands: [],
    files: [
      { program: 'bash', pid: 8080, path: '/tmp/h8-rel.txt', flags: 0o1101, returnCode: 3 },
      { program: 'cat', path: '/etc/shadow', flags: 0, returnCode: -13 },
    ],
    connections: [
      { program: 'perl', address: '127.0.0.1', port: 9, version: 4, returnCode: -111 },
      { program: 'perl', address: '2001:db8::1', port: 443, version: 6, returnCode: -1 },
    ],
  });
});

test('what is no such answer is none, and of too many programs the first are kept', () => {
  expect(readKernelRecord('Permission denied', now)).toBeNull();
  const line = (at: number) =>
    `type=SYSCALL msg=audit(1795392514.000:${at}): exit=0 ppid=1 pid=${at} comm="a" exe="/a"`;
  const many = readKernelRecord(
    `1795392515.650\nsince=1.000\n${Array.from({ length: 1001 }, (_, at) => line(at)).join('\n')}`,
    now,
  );
  expect([many?.commands.length, many?.isPart]).toEqual([1000, true]);
});

/** A server whose kernel answers as told, and whose shells end when they are told to. */
function rig(
  answers: { readonly ready: string | null; readonly record: string | null },
  recordSsh: 'strict' | 'best_effort' = 'strict',
  recordKernel: readonly KernelKind[] = ['command'],
) {
  const begun = Date.now();
  let passed = 0;
  const log: AuditEntry[] = [];
  const asked: OpenRequest[] = [];
  const shells: ReturnType<typeof createShell>[] = [];
  const connector: Connector = {
    async open(_target, request) {
      asked.push(request);
      const shell = createShell();
      if (request.login !== 'postern-audit') {
        shells.push(shell);
        return shell;
      }
      const answer = request.command === 'ready' ? answers.ready : answers.record;
      setImmediate(() => {
        const [clock = '', ...rest] = (answer ?? '').split(/(?<=\n)/);
        shell.print(clock);
        passed += 5000;
        shell.print(
          answer === null ? 'the log of auditd cannot be read' : rest.join(''),
          answer === null ? 'stderr' : 'stdout',
        );
        shell.exit({ code: answer === null ? 1 : 0 });
      });
      return shell;
    },
  };
  const audit = { emit: async (entry: AuditEntry) => void log.push(entry) };
  const broker = brokerOver(connector, {
    recordings,
    audit,
    report: () => undefined,
    now: () => new Date(begun + passed),
  });
  const who = person('alice', { options: { recordKernel, recordSsh } });
  const target = { ...server, labels: { ...server.labels, commands: 'kernel' } };
  const open = (to: Target = target) => broker.open({ who, target: to, login: 'root', size });
  const end = async (sid: string) => {
    broker.attach(sid, { who, mode: '', size, subscriber: createSubscriber() });
    shells[0]?.exit();
    return vi.waitFor(() => {
      const found = log.find(({ code }) => code === 'T2004I');
      if (!found) throw new Error('not ended yet');
      return found;
    });
  };
  return { open, end, log, asked, begun };
}

test('programs that a prepared server saw are in the log before the end of their session', async () => {
  const { open, end, log, asked, begun } = rig({ ready: '1795392515.650\n', record: ANSWER });
  const { sid } = await open();
  expect(await end(sid)).toMatchObject({ enhanced_recording: true });
  expect(asked.map(({ login, command }) => [login, command])).toEqual([
    ['postern-audit', 'ready'],
    ['root', undefined],
    ['postern-audit', sid],
  ]);
  expect(log.filter(({ code }) => code === 'T4000I')).toMatchObject([
    { sid, user: 'alice', program: 'bash', return_code: -13, process_start: new Date(begun + 4000).toISOString() },
    { sid, user: 'alice', program: 'printf', argv: ['printf', 'x\ty ü\n', 'abcdef'], pid: 31001, ppid: 30989 },
  ]);
  expect(log.findIndex(({ code }) => code === 'T4000I')).toBeLessThan(log.findIndex(({ code }) => code === 'T2004I'));
});

test('of a server that tells more, the kinds that roles name are asked for and noted in the order of time', async () => {
  const { open, end, log, asked } = rig({ ready: '1795443988.426\n', record: DEEDS }, 'strict', [
    'command',
    'disk',
    'network',
  ]);
  const { sid } = await open({ ...server, labels: { ...server.labels, disk: 'kernel', network: 'kernel' } });
  expect(await end(sid)).toMatchObject({ enhanced_recording: true });
  expect(asked.at(-1)).toMatchObject({ login: 'postern-audit', command: `${sid} disk network` });
  expect(log.filter(({ code }) => /^T400/.test(code))).toMatchObject([
    { code: 'T4001I', sid, user: 'alice', path: '/tmp/h8-rel.txt', flags: 577 },
    { code: 'T4001I', path: '/etc/shadow', return_code: -13 },
    { code: 'T4002I', program: 'perl', dst_addr: '127.0.0.1', dst_port: 9, operation: 0, action: 0 },
    { code: 'T4002I', dst_addr: '2001:db8::1', version: 6, action: 1 },
  ]);
});

test('where recordings are strict, nothing begins on a prepared server that cannot tell what runs; best effort goes on and says so', async () => {
  const strict = rig({ ready: null, record: null });
  await expect(strict.open()).rejects.toThrow(
    'The session was not started: the commands that run on db-3 could not be recorded (the log of auditd cannot be read)',
  );
  const effort = rig({ ready: null, record: null }, 'best_effort');
  const { sid } = await effort.open();
  expect(await effort.end(sid)).toMatchObject({
    enhanced_recording: false,
    error: 'The commands that the kernel saw could not be read: the log of auditd cannot be read.',
  });
});

test('a server that is not prepared is not asked', async () => {
  const { open, end, asked } = rig({ ready: null, record: null });
  const { sid } = await open(server);
  expect(await end(sid)).toMatchObject({ enhanced_recording: false });
  expect(asked.map(({ login }) => login)).toEqual(['root']);
});
