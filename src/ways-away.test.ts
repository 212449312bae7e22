// Every place from which a browser is taken to an address: who says where it leads, and the test that holds what hostile links say against it.
// A place without a row fails, and so does a row whose place or test is gone.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
/** Where a browser leaves a page of ours by itself, in the code of each room. */
const leaves: Readonly<Record<string, RegExp>> = {
  'src/console': /\blocation\.(?:assign|replace)(?!\(\/)|\blocation\.href\s*=[^=]|\bwindow\.open\(/,
  commands: /\blocation\.(?:assign|replace)\b|\bwindow\.open\(/,
  'src/gateway': /\.redirect\(|http-equiv="refresh"|<form method="post" action=|\bwriteHead\([^;]{0,80}\blocation\b/,
  'src/cli': /\bwriteHead\(302/,
};

type Proof = readonly [file: string, name: string];
interface Way {
  /** Who says where it leads. */
  readonly said: string;
  /** Null: neither a link nor whoever wrote one has a word in it. */
  readonly held: Proof | null;
}
const ownPath: Proof = ['src/gateway/services/identity/sso/own-path.test.ts', 'test.each(hostileLinks)'];
const launch: Proof = ['src/console/screens/launch/addresses.test.ts', 'test.each(hostileLinks)'];
const ways: Readonly<Record<string, readonly Way[]>> = {
  'src/console/main.tsx': [{ said: 'the sign-in page', held: null }],
  'src/console/shell/navigation.ts': [
    { said: 'redirect_uri, after signing in', held: ['src/console/shell/redirect.test.ts', 'test.each(hostileLinks)'] },
  ],
  'src/console/shell/console.ts': [{ said: 'a path of ours that a command makes', held: null }],
  'src/console/palette/Palette.tsx': [{ said: 'a chapter of the manual', held: null }],
  'src/console/terminal/screen.ts': [
    {
      said: 'whatever a shell prints, once a person chooses it, in a tab that knows nothing of this one',
      held: ['src/console/terminal/links.test.ts', 'is not opened'],
    },
  ],
  'src/console/screens/headless/SessionKey.tsx': [
    {
      said: 'the redirect_url that the gateway has found to be a loopback address',
      held: ['src/gateway/app-factors.test.ts', 'for (const link of hostileLinks)'],
    },
  ],
  'src/console/screens/launch/Screen.tsx': [
    { said: 'the path of a link to an application', held: launch },
    {
      said: 'the host of a link to an application',
      held: ['src/gateway/app-applications.test.ts', 'for (const link of hostileLinks)'],
    },
  ],
  'src/console/screens/payments/Screen.tsx': [
    {
      said: 'the provider of payments that whoever runs this has set',
      held: ['src/gateway/app-billing.test.ts', 'nothing of it is followed or believed'],
    },
  ],
  'src/gateway/http/page.ts': [{ said: 'the console', held: null }],
  'src/gateway/http/sso.ts': [
    { said: 'the connector, as whoever may change connectors wrote it', held: null },
    { said: 'redirect_url, after signing in', held: ownPath },
    {
      said: 'redirect_url of a command line',
      held: ['src/gateway/services/identity/sso/own-path.test.ts', 'no command line listens at'],
    },
  ],
  'src/gateway/http/saml-idp.ts': [
    {
      said: 'what a service provider asks',
      held: ['src/gateway/app-saml-idp.test.ts', 'for (const link of hostileLinks)'],
    },
    {
      said: 'the address that is registered for a service provider, never what it asks for',
      held: ['src/gateway/app-saml-idp.test.ts', 'what begins here goes to the registered address'],
    },
  ],
  'src/gateway/services/protocols/applications/front.ts': [
    {
      said: 'the path that whoever was handed over wanted',
      held: ['src/gateway/services/protocols/applications/own-address.test.ts', 'test.each(hostileLinks)'],
    },
    { said: 'the AWS console, which tells where its own sign-in is', held: null },
  ],
  'src/cli/person/loopback.ts': [{ said: 'a message page of the gateway that was signed in to', held: null }],
};

const filesIn = (room: string): readonly string[] =>
  readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
    .filter(file => /\.tsx?$/.test(file) && !/\.test(ing)?\.tsx?$/.test(file))
    .map(file => `${room}/${file}`);

test('every place that takes a browser away is known, and no other is', () => {
  const found = Object.entries(leaves).flatMap(([room, pattern]) =>
    filesIn(room).filter(file => pattern.test(readFileSync(join(root, file), 'utf8'))),
  );
  expect(found.toSorted()).toEqual(Object.keys(ways).toSorted());
});

test.each(Object.entries(ways).flatMap(([file, all]) => all.map(way => [file, way] as const)))(
  '%s leads where a test holds it: $said',
  (_file, { held }) => {
    if (held === null) return;
    const [file, name] = held;
    expect([held, readFileSync(join(root, file), 'utf8').includes(name)]).toEqual([held, true]);
  },
);
