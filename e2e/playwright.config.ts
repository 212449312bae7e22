// The journeys: a real browser against a real gateway and real servers.
import { defineConfig } from 'playwright/test';
import { browserPath } from './rigs/browser.ts';

export default defineConfig({
  testDir: '.',
  testMatch: '*.journey.ts',
  outputDir: '../test-results',
  globalSetup: ['./rigs/prepared.ts', './rigs/login-shells.ts'],
  // The journeys of one file share a gateway and keep their order; files do not.
  fullyParallel: false,
  workers: 2,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['json', { outputFile: '../test-results/journeys.json' }]],
  use: {
    browserName: 'chromium',
    headless: true,
    viewport: { width: 1440, height: 900 },
    // A trace of every journey costs as much as the journeys themselves; one that failed is run again with --trace on.
    trace: 'off',
    screenshot: 'only-on-failure',
    permissions: ['clipboard-read', 'clipboard-write'],
    launchOptions: {
      ...(browserPath === '' ? {} : { executablePath: browserPath }),
      args: [
        '--no-sandbox',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // Terminals are read as elements, also where a browser draws WebGL in software.
        '--disable-3d-apis',
      ],
    },
  },
});
