// Saved views of the list on screen.
import { getPreferences } from '../src/contract/preferences.ts';
import { answer, Cancelled, CHOICES_MOST, textChoice } from './answer.ts';
import { type Command, command } from './command.ts';
import { onList } from './gates.ts';

export const views: readonly Command[] = [
  command({
    id: 'views.delete',
    title: 'Delete a saved view…',
    group: 'list',
    destructive: true,
    words: ['remove', 'forget'],
    when: onList,
    args: [
      {
        name: 'view',
        title: 'View of this list',
        once: true,
        choices: async (_typed, _given, { feature }, tools) => {
          const { console } = await tools.call(getPreferences);
          return (console.views[feature ?? ''] ?? []).slice(0, CHOICES_MOST).map(({ title }) => textChoice(title));
        },
      },
    ],
    run: async (given, { feature }, tools) => {
      const { value } = answer(given, 'view');
      const sure = await tools.confirm({
        title: `Delete the view ${value}?`,
        text: 'The rows stay; only this way of looking at them is forgotten.',
        action: 'Delete the view',
      });
      if (!sure || feature === null) throw new Cancelled();
      tools.deleteView?.(feature, value);
      tools.notify(`The view ${value} has been deleted`);
    },
  }),
];
