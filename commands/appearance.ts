// How the console looks. A theme from the configuration overrides the person's choice (specification section 4), so the switch hides.
import { type Command, command, type Facts } from './command.ts';
import { inConsole } from './gates.ts';

const may = (facts: Facts, theme: 'light' | 'dark'): boolean =>
  inConsole(facts) && facts.config.customTheme === '' && facts.theme !== theme;

export const appearance: readonly Command[] = [
  command({
    id: 'theme.light',
    title: 'Switch to Light Theme',
    group: 'account',
    words: ['bright', 'appearance', 'colour', 'color'],
    when: facts => may(facts, 'light'),
    run: (_given, _facts, tools) => tools.setTheme('light'),
  }),
  command({
    id: 'theme.dark',
    title: 'Switch to Dark Theme',
    group: 'account',
    words: ['night', 'appearance', 'colour', 'color'],
    when: facts => may(facts, 'dark'),
    run: (_given, _facts, tools) => tools.setTheme('dark'),
  }),
];
