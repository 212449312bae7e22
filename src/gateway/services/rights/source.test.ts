import { expect, test } from 'vitest';
import { onBothEngines } from '../../store/store.testing.ts';
import { createRightsSource, roleResource } from './source.ts';

const unexpected = (problem: string): void => {
  throw new Error(problem);
};
const role = (name: string, spec: object) =>
  roleResource(JSON.stringify({ kind: 'role', version: 'v7', metadata: { name }, spec }));
const lists = (...resources: string[]) => ({ allow: { rules: [{ resources, verbs: ['list'] }] } });
const ann = { name: 'ann', roles: ['one', 'two'], traits: { logins: ['ann'] } };

onBothEngines(({ open }) => {
  test("a person's rights are worked out once per change, and every gateway of the store sees every change", async () => {
    const { resources } = await open();
    // Two gateways on one store have a source each.
    const gateways = [createRightsSource(resources, unexpected), createRightsSource(resources, unexpected)];
    const now = (user = ann) => Promise.all(gateways.map(gateway => gateway.rightsOf(user)));
    const told = async () => (await now()).map(rights => [rights.may('user', 'list'), rights.may('role', 'list')]);
    const both = (answer: boolean[]) => [answer, answer];

    await resources.create(role('one', lists('user')));
    expect(await told()).toEqual(both([true, false]));
    const [before] = await now();
    const [again] = await now();
    expect(again).toBe(before);

    await resources.create(role('two', lists('role')));
    expect(await told()).toEqual(both([true, true]));
    await resources.put(role('one', {}));
    expect(await told()).toEqual(both([false, true]));
    // Made anew under the old name, a role has the revision of its first version again.
    await resources.delete('role', 'one');
    expect(await told()).toEqual(both([false, true]));
    await resources.create(role('one', lists('user', 'role')));
    await resources.delete('role', 'two');
    expect(await told()).toEqual(both([true, true]));

    const [, changed] = await now();
    const [other] = await now({ ...ann, traits: { logins: ['root'] } });
    expect(other).not.toBe(changed);
    expect((await now({ ...ann, roles: [] }))[0]?.may('user', 'list')).toBe(false);
    expect((await now({ ...ann, name: 'bob' }))[0]?.may('user', 'list')).toBe(true);
  });

  test('a role gives nothing from the moment it runs out', async () => {
    let time = Date.now();
    const { resources } = await open({ clock: () => new Date(time) });
    const source = createRightsSource(resources, unexpected);
    await resources.create({ ...role('one', lists('user')), expires: new Date(time + 1000) });
    expect((await source.rightsOf(ann)).may('user', 'list')).toBe(true);
    time += 1001;
    expect((await source.rightsOf(ann)).may('user', 'list')).toBe(false);
  });

  test.each([
    ['only allows', '', [true, true]],
    [
      'denies too',
      "  deny: {node_labels: {env: prod}, rules: [{resources: ['role'], verbs: ['list']}]}\n",
      [true, false],
    ],
    ['denies with such a key', '  deny: {node_labels: {__proto__: x}}\n', [false, false]],
    ['demands others in the room', '    require_session_join: []\n', [false, false]],
  ])('a stored role that cannot be read and %s gives nothing and still takes away', async (_name, more, left) => {
    const heard: string[] = [];
    const { resources } = await open();
    const source = createRightsSource(resources, problem => void heard.push(problem));
    await resources.create(role('one', { allow: { rules: [{ resources: ['user', 'role'], verbs: ['list'] }] } }));
    const content = `kind: role\nversion: v3\nmetadata: {name: two}\nspec:\n  allow:\n    logins: [root]\n    node_labels: {env: dev, __proto__: x}\n${more}`;
    await resources.create({ ...role('two', {}), spec: { content } });
    const rights = await source.rightsOf(ann);
    expect([rights.may('user', 'list'), rights.may('role', 'list')]).toEqual(left);
    expect([rights.logins({ env: 'dev' }), rights.selects('app', {}), rights.may('event', 'list')]).toEqual([
      [],
      false,
      false,
    ]);
    await source.rightsOf(ann);
    expect(heard).toEqual([expect.stringContaining('role "two" cannot be read and allows nothing')]);
  });
});
