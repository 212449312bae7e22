import { afterAll, beforeAll, expect, test } from 'vitest';
import { callsToAction, captureEvents, discoverEvents, precaptureEvents } from '../../contract/capture.ts';
import { type Browser, call, openRig, type Rig } from '../app.testing.ts';

let rig: Rig;
let ann: Browser;
beforeAll(async () => {
  rig = await openRig();
  await rig.addUser('ann', ['access']);
  await rig.addUser('ed', ['editor']);
  ann = await rig.signIn('ann');
});
afterAll(() => rig.dispose());

/** Lines of the log about clicks, as what they say. */
const clicks = () =>
  rig.log
    .map(line => JSON.parse(line) as Record<string, unknown>)
    .filter(line => line.msg === 'clicked')
    .map(({ event, eventData, user }) => ({ event, eventData, user }));

// Rule 7.3: capture
// Rule 7.3: events of banners, onboarding and codes
test('a call to action is logged with what it was about and who clicked it', async () => {
  const body = { event: captureEvents.callToAction, eventData: callsToAction.premiumSupport };
  expect((await ann.call('POST', '/v1/webapi/capture', body)).status).toBe(200);
  expect(clicks()).toContainEqual({ event: 'postern.ui.callToAction.click', eventData: 4, user: 'ann' });
});

test('an enrolment is counted by what was enrolled, and nothing else of what is said of it', async () => {
  const kind = 'INTEGRATION_ENROLL_KIND_AWS_OIDC';
  for (const eventData of [
    { id: 'x', kind },
    { id: 'x', kind: 'my account' },
  ])
    await ann.call('POST', '/v1/webapi/capture', { event: captureEvents.enrollStart, eventData });
  const { json } = await (await rig.signIn('ed')).call('GET', '/v1/webapi/sites/here/telemetry');
  expect(json).toMatchObject({
    events: expect.arrayContaining([
      { event: captureEvents.enrollStart, about: 'AWS_OIDC', count: 1, last: expect.any(String) },
    ]),
  });
  expect(JSON.stringify(json)).not.toContain('my account');
});

test('a step of enrolling a resource is counted by its kind and how it ended', async () => {
  const step = { id: 'x', resource: 'DISCOVER_RESOURCE_SERVER', stepStatus: 'DISCOVER_STATUS_ABORTED' };
  for (const eventData of [step, { ...step, resource: 'my server' }])
    await ann.call('POST', '/v1/webapi/capture', { event: discoverEvents.testConnection, eventData });
  const { json } = await (await rig.signIn('ed')).call('GET', '/v1/webapi/sites/here/telemetry');
  expect(json).toMatchObject({
    events: expect.arrayContaining([
      { event: discoverEvents.testConnection, about: 'SERVER ABORTED', count: 1, last: expect.any(String) },
    ]),
  });
  expect(JSON.stringify(json)).not.toContain('my server');
});

// Rule 7.3: precapture
test('a submitted questionnaire is logged, and the name that anyone may claim is not', async () => {
  const body = { event: precaptureEvents.questionnaireSubmit, username: 'claimed-name' };
  expect((await call(rig.app, { method: 'POST', url: '/v1/webapi/precapture', body })).status).toBe(200);
  expect(clicks()).toContainEqual({ event: 'postern.ui.onboard.questionnaire.submit' });
  expect(rig.log.join('')).not.toContain('claimed-name');
});
