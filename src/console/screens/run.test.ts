import { expect, test } from 'vitest';
import { createRun, type StartRun } from './run.ts';
import { hasFailed } from './run-groups.ts';

type On = Parameters<StartRun>[1];
function rig() {
  const started: { params: Parameters<StartRun>[0]; on: On }[] = [];
  const run = createRun((params, on) => {
    started.push({ params, on });
    return { stop: () => on.over('The run was stopped.') };
  });
  return { ...run, started, on: (at: number): On => started[at]?.on as On };
}
const bytes = (...given: number[]) => Uint8Array.from(given);
const host = (name: string) => ({ node_id: name, hostname: name, login: 'root' });
const params = { command: 'uname', query: 'name != ""', login: 'root' };

test('what each server prints is put together, letters that come in two pieces as well', () => {
  const { state, run, on } = rig();
  run(params);
  on(0).hosts([host('a'), host('b')], 2);
  on(0).began('a', 's1');
  on(0).output('a', 'stdout', bytes(0xc3));
  on(0).output('a', 'stderr', bytes(0x21));
  on(0).output('a', 'stdout', bytes(0xbc));
  on(0).ended({ node_id: 'a', code: 0, signal: null, error: '' });
  expect(state.servers.a).toEqual({
    ...{ id: 'a', hostname: 'a', login: 'root', sid: 's1', text: '!ü' },
    end: { code: 0, signal: null, error: '' },
  });
  expect([state.status, state.total, state.servers.b?.end]).toEqual(['processing', 2, undefined]);
});

test('a run that is stopped says so of every server that had not ended', () => {
  const { state, run, stop, on } = rig();
  run(params);
  on(0).hosts([host('a'), host('b')], 2);
  on(0).ended({ node_id: 'a', code: 0, signal: null, error: '' });
  stop();
  expect([state.status, state.why, state.servers.a?.end?.code, state.servers.b?.end?.error]).toEqual([
    'over',
    'The run was stopped.',
    0,
    'The run was stopped.',
  ]);
});

test('servers that failed are tried again beside those that did well', () => {
  const { state, run, on } = rig();
  run(params);
  on(0).hosts([host('a'), host('b')], 2);
  on(0).ended({ node_id: 'a', code: 0, signal: null, error: '' });
  on(0).ended({ node_id: 'b', code: 1, signal: null, error: '' });
  on(0).over('');
  run(params, server => !hasFailed(server));
  expect(Object.keys(state.servers)).toEqual(['a']);
  on(1).hosts([host('b')], 1);
  on(1).ended({ node_id: 'b', code: 0, signal: null, error: '' });
  on(1).over('');
  expect([state.total, Object.values(state.servers).filter(hasFailed)]).toEqual([2, []]);
});
