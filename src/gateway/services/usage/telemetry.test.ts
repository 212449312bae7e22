// Clicks are counted by the day, kept over restarts and failures of the store, and sent only where somebody says so.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { captureEvents, precaptureEvents } from '../../../contract/capture.ts';
import { onBothEngines } from '../../store/store.testing.ts';
import type { Store } from '../../store/store.ts';
import { openTelemetry, type TelemetryParts } from './telemetry.ts';

const DAY_MS = 86_400_000;

onBothEngines(({ open }) => {
  async function rig(more: Partial<TelemetryParts> = {}, kept?: Store) {
    const store = kept ?? (await open());
    let now = Date.parse('2026-11-20T12:00:00.000Z');
    const problems: string[] = [];
    const begin = (gatewayId = 'one') =>
      openTelemetry({
        ...{ resources: store.resources, gatewayId, clusterName: 'here', sendTo: null },
        clock: () => new Date(now),
        report: (_problem, error) => void problems.push(String(error)),
        ...more,
      });
    return { store, begin, problems, later: (ms: number) => (now += ms) };
  }

  test('what is clicked is counted by name and subject, over days, restarts and gateways', async () => {
    const { begin, later } = await rig();
    const first = begin();
    first.clicked(captureEvents.bannerClick, 'upgrade-suggestion', undefined);
    first.clicked(captureEvents.callToAction, null, 4);
    first.clickedEarly(precaptureEvents.recoveryCodesPrint);
    await first.close();
    later(DAY_MS);
    const [again, other] = [begin(), begin('two')];
    again.clicked(captureEvents.bannerClick, 'upgrade-suggestion', undefined);
    other.clicked(captureEvents.bannerClick, 'upgrade-suggestion', undefined);
    await other.close();
    expect(await again.shown()).toEqual({
      days: 90,
      sentTo: null,
      events: [
        { event: 'postern.ui.banner.click', about: 'upgrade-suggestion', count: 3, last: '2026-11-21' },
        { event: 'postern.ui.callToAction.click', about: 'premiumSupport', count: 1, last: '2026-11-20' },
        { event: 'postern.ui.recoveryCodesPrint.click', about: '', count: 1, last: '2026-11-20' },
      ],
    });
    await again.close();
  });

  test('nobody who is not signed in makes up a click, and nobody makes up more than are told apart', async () => {
    const { begin } = await rig();
    const counts = begin();
    counts.clickedEarly('postern.ui.made.up');
    for (let at = 0; at < 500; at += 1) counts.clicked(`postern.ui.made.up${'x'.repeat(at)}`, null, null);
    expect((await counts.shown()).events).toHaveLength(200);
    await counts.close();
  });

  test('what the store would not take counts with the next attempt', async () => {
    const { store } = await rig();
    let isBroken = true;
    const resources = {
      ...store.resources,
      put: (...asked: Parameters<Store['resources']['put']>) =>
        isBroken ? Promise.reject(new Error('full')) : store.resources.put(...asked),
    };
    const { begin, problems } = await rig({ resources }, store);
    const counts = begin();
    counts.clicked(captureEvents.addFirstResource, null, null);
    await counts.save();
    expect(problems).toEqual(['Error: full']);
    counts.clicked(captureEvents.addFirstResource, null, null);
    isBroken = false;
    expect((await counts.shown()).events).toMatchObject([{ count: 2 }]);
    await counts.close();
  });

  test('a day is sent once, when it is over and the address has taken it', async () => {
    const got: unknown[] = [];
    let status = 500;
    const server = createServer(async (request, response) => {
      got.push(JSON.parse(await bodyOf(request)));
      response.writeHead(status).end();
    });
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
    try {
      const sendTo = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      const { begin, later, problems } = await rig({ sendTo });
      const counts = begin();
      counts.clicked(captureEvents.addFirstResourceLater, null, null);
      await counts.save();
      expect(got).toEqual([]);
      later(DAY_MS);
      await counts.save();
      expect(problems).toEqual(['Error: it answered 500']);
      status = 200;
      later(3_600_000);
      await counts.save();
      later(3_600_000);
      await counts.close();
      const day = {
        cluster: 'here',
        day: '2026-11-20',
        events: [{ event: 'postern.ui.onboard.addFirstResourceLater.click', about: '', count: 1 }],
      };
      expect(got).toEqual([day, day]);
    } finally {
      server.close();
    }
  });
});

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += String(part);
  return text;
}
