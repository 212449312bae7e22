import { expect, test } from 'vitest';
import { recordingThing } from './recording.ts';

const ended = { code: 'T2011I', time: '2026-01-02T03:04:05Z', uid: 'u', user: 'ann', sid: 's' };

// Rule 3.4: a recording has its kind, and is called by what was reached
// Rule 9: recordings are of SSH, Kubernetes or desktops
test.each([
  [{ event: 'app.session.end', app_name: 'wiki' }, 'wiki', 'app'],
  [{ event: 'db.session.end', db_service: 'orders' }, 'orders', 'db'],
  [{ event: 'session.end', proto: 'kube', kubernetes_cluster: 'prod' }, 'prod', 'k8s'],
  [{ event: 'session.end', server_hostname: 'db-3' }, 'db-3', 'ssh'],
])('a recording is called by what was reached, and has its kind: %j', (event, title, type) => {
  expect(recordingThing({ ...ended, ...event })).toMatchObject({ title, recording: { type } });
});
