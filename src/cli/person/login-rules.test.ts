// Login rules from the command line, against a real gateway: written, listed, read, tried on somebody and deleted.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type CommandLineRig, openCommandLine } from '../../../e2e/rigs/command-line.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let rig: CommandLineRig;
beforeAll(async () => {
  rig = await openCommandLine();
  await rig.gateway.addUser('ada', ['editor'], ['Ada']);
  await rig.gateway.addUser('bob', ['access'], ['root']);
  await rig.signIn('ada');
});
afterAll(() => rig.dispose());

const fileOf = async (name: string, spec: string): Promise<string> => {
  const file = join(rig.folder, `${name}.yaml`);
  await writeFile(file, `kind: login_rule\nversion: v1\nmetadata:\n  name: ${name}\nspec:\n${spec}`);
  return file;
};

test('a rule is written, written anew, listed, read, tried and deleted', async () => {
  const first = await fileOf('small', '  priority: 3\n  traits_expression: external\n');
  expect(await rig.run(['login-rules', 'write', first])).toContain('The login rule small has been saved.');
  const lower = await fileOf(
    'small',
    '  priority: 4\n  traits_expression: external.put("logins", strings.lower(external.logins))\n',
  );
  expect(await rig.run(['login-rules', 'write', lower])).toContain('The login rule small has been saved.');
  expect(await rig.run(['login-rules', 'list'])).toMatch(/small +4/);
  expect(await rig.run(['login-rules', 'show', 'small'])).toMatch(/^kind: login_rule\n(.*\n)*.*priority: 4\n/);
  const told = async (...words: string[]) => JSON.parse(await rig.run(['login-rules', 'test', ...words]));
  expect(await told('ada')).toEqual({
    given: { logins: ['Ada'] },
    steps: [{ rule: 'small', traits: { logins: ['ada'] } }],
  });
  const more = await fileOf('later', '  priority: 9\n  traits_map: {team: [external.logins]}\n');
  expect((await told('ada', more)).steps).toEqual([
    { rule: 'small', traits: { logins: ['ada'] } },
    { rule: 'later', traits: { team: ['ada'] } },
  ]);
  // It was tried, not written.
  expect(await rig.run(['login-rules', 'list'])).not.toContain('later');
  await rig.run(['login-rules', 'delete', 'small', '--yes']);
  expect(await rig.run(['login-rules', 'list'])).not.toContain('small');
});

test('what is wrong is said where it stands, and a rule that fails ends the trial with a no', async () => {
  const broken = await fileOf('broken', '  priority: 0\n  traits_expression: nonsense\n');
  await expect(rig.run(['login-rules', 'write', broken])).rejects.toThrow('YAML:7:');
  await expect(rig.run(['login-rules', 'show', 'broken'])).rejects.toThrow('not found');
  const long = `external.put("logins", set("${'x'.repeat(300)}"))`;
  const failing = await fileOf('failing', `  priority: 0\n  traits_expression: ${long}\n`);
  await expect(rig.run(['login-rules', 'test', 'ada', failing])).rejects.toThrow('login rule "failing" failed');
  await expect(rig.run(['login-rules', 'test', 'nobody'])).rejects.toThrow('user "nobody" not found');
});

test('whoever may not is refused, also to know what becomes of others', async () => {
  await rig.signIn('bob');
  await expect(rig.run(['login-rules', 'test', 'ada'])).rejects.toThrow('login_rule');
  await expect(rig.run(['login-rules', 'list'])).rejects.toThrow();
  await rig.signIn('ada');
});
