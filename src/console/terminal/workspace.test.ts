import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keysIn, type Layout, SPLITS_MOST, splitAt } from './layout.ts';
import { createTab } from './tab.ts';
import { workspaceTabs } from './workspace.ts';

/** Layouts as a person makes them: each split halves some terminal. */
const layouts = fc
  .array(fc.tuple(fc.nat(), fc.constantFrom('right' as const, 'down' as const), fc.integer({ min: 1, max: 9 })), {
    maxLength: SPLITS_MOST - 1,
  })
  .map(splits =>
    splits.reduce<Layout>((layout, [at, direction, share], index) => {
      const keys = keysIn(layout);
      return splitAt(layout, keys[at % keys.length] ?? '', `k${index}`, direction, share / 10);
    }, 'first'),
  );
const tabOf = (key: string, serverId = `id-${key}`) =>
  createTab({ key, clusterId: 'c', sid: 's', serverId, login: 'root', title: `root@${key}`, mode: 'peer' });
const groupOf = (layout: Layout) => ({ key: 'g', name: 'build', layout, current: '', zoomed: '' });

test('opening what was saved makes the same splits', () =>
  fc.assert(
    fc.property(layouts, layout => {
      const [saved] = workspaceTabs(
        [groupOf(layout)],
        keysIn(layout).map(key => tabOf(key)),
      );
      const made = saved?.panes.reduce<{ layout: Layout; keys: string[] }>(
        ({ layout, keys }, { hostname, beside, direction = 'right', share }) => ({
          layout: beside === undefined ? hostname : splitAt(layout, keys[beside] ?? '', hostname, direction, share),
          keys: [...keys, hostname],
        }),
        { layout: '', keys: [] },
      );
      expect(made?.layout).toEqual(layout);
    }),
  ));

test('a session that is only joined is left out, and what stood beside it stands beside another', () => {
  const layout = splitAt(splitAt('a', 'a', 'b', 'right'), 'b', 'c', 'down');
  const saved = workspaceTabs(
    [groupOf(layout), groupOf('d')],
    [tabOf('a'), tabOf('b', ''), tabOf('c'), tabOf('d', '')],
  );
  expect(saved).toEqual([
    {
      name: 'build',
      panes: [
        { serverId: 'id-a', login: 'root', hostname: 'a' },
        { serverId: 'id-c', login: 'root', hostname: 'c', beside: 0, direction: 'down', share: 0.5 },
      ],
    },
  ]);
});
