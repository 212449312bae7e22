import { expect, test } from 'vitest';
import { captureEvents } from '../../contract/capture.ts';
import { call, openRig } from '../app.testing.ts';
import { traceIdOf } from './trace-id.ts';

const trace = 'c'.repeat(32);
const parent = `00-${trace}-${'d'.repeat(16)}-01`;

test('the trace of a call is read from its header, that of a socket from its query, and nothing else is one', () => {
  expect(traceIdOf({ headers: { traceparent: parent }, url: '/' })).toBe(trace);
  expect(traceIdOf({ headers: {}, url: `/connect?access_token=x&traceparent=${parent}` })).toBe(trace);
  for (const wrong of ['', 'x', parent.toUpperCase(), `${parent}-more`, `${parent}\n`])
    expect(traceIdOf({ headers: { traceparent: wrong }, url: '/' })).toBeUndefined();
});

test('a line of the log names the trace of the call that it is about', async () => {
  const rig = await openRig();
  try {
    await rig.addUser('ann', ['access']);
    const { cookie, bearer } = await rig.signIn('ann');
    const click = {
      method: 'POST',
      url: '/v1/webapi/capture',
      cookie,
      bearer,
      body: { event: captureEvents.bannerClick },
    };
    await call(rig.app, { ...click, headers: { traceparent: parent } });
    await call(rig.app, click);
    const lines = rig.log.map(line => JSON.parse(line) as Record<string, unknown>);
    expect(lines.filter(({ msg }) => msg === 'clicked').map(({ trace: said }) => said)).toEqual([trace, undefined]);
  } finally {
    await rig.dispose();
  }
});
