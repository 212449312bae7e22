// Trusting another certificate of a desktop: what is asked, what is sent, and what typed whole runs it.
import { expect, test } from 'vitest';
import { compareDesktopCertificate, trustDesktopCertificate } from '../src/contract/desktop-certificates.ts';
import { textChoice } from './answer.ts';
import { commandById, commands } from './index.ts';
import { readWhole } from './read.ts';
import { factsWith, recorder } from './tools.testing.ts';

const [OLD, NEW] = ['0'.repeat(64), '1'.repeat(64)];

test('a changed certificate is trusted after both were shown, and only the one that was shown', async () => {
  const reply = (shown: string) => () => ({ name: 'win-7', addr: 'win-7:3389', pinned: OLD, shown });
  const { tools, made, done } = recorder(reply(NEW));
  const given = { desktop: textChoice('win-7') };
  await commandById('desktops.trust')?.run(given, factsWith(), tools);
  expect(done[0]).toMatch(new RegExp(`${OLD}.*${NEW}`, 's'));
  expect(made).toMatchObject([
    { call: compareDesktopCertificate, params: { name: 'win-7' } },
    { call: trustDesktopCertificate, body: { certificate: NEW, replaces: OLD } },
  ]);
  const same = recorder(reply(OLD));
  await commandById('desktops.trust')?.run(given, factsWith(), same.tools);
  expect([same.made.length, same.done]).toEqual([1, ['notify win-7 shows the certificate that is trusted already']]);
});

test('the sentence of a refused connection, typed as it stands, is the command', () => {
  for (const typed of ['Trust the new certificate of win-7…', 'trust the new certificate of win-7'])
    expect(readWhole(commands, typed, factsWith())).toMatchObject({
      command: { id: 'desktops.trust' },
      answers: { desktop: 'win-7' },
    });
});

test('a desktop opens in a tab of the console, by the address that names it there', async () => {
  const { tools, done } = recorder(() => ({}));
  await commandById('desktops.open')?.run(
    { desktop: textChoice('win-7'), login: textChoice('alice') },
    factsWith(),
    tools,
  );
  expect(done).toEqual([expect.stringMatching(/^go consoleConnect .*desktop\/win-7.*alice/)]);
});

test('over a desktop in a tab its own commands are there, and those of terminals leave it its keys', () => {
  const terminal = { sid: '', title: 'alice@win-7', login: 'alice', connected: true, hasSelection: false };
  const there = (serverId: string, ids: readonly string[]): readonly string[] =>
    ids.filter(id => commandById(id)?.when?.(factsWith({ terminal: { ...terminal, serverId }, terminalCount: 1 })));
  const own = ['desktop.press', 'desktop.fit', 'desktop.quality', 'desktop.disconnect'];
  const both = ['terminal.leader', 'terminal.close', 'terminal.maximise', 'terminal.show1', 'terminal.toSplit'];
  const shells = ['terminal.copy', 'terminal.paste', 'terminal.find', 'terminal.bigger', 'terminal.broadcast'];
  const every = [...own, ...both, ...shells];
  expect(there('desktop/win-7', every)).toEqual([...own, ...both]);
  expect(there('n1', every)).toEqual([...both, ...shells]);
});
