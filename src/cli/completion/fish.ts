// The completion script of fish.
import { byFirstWord, helpOfFirst, takingFlags, type Values, type VerbEntry } from './model.ts';

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const offer = (values: Values): string =>
  values.kind === 'words' || values.kind === 'listed'
    ? ` -f -a ${quoted(values.kind === 'words' ? values.words.join(' ') : `(${values.command})`)}`
    : values.kind === 'path'
      ? ' -F'
      : ' -f';

export function fishScript(entries: readonly VerbEntry[]): string {
  const groups = byFirstWord(entries);
  const line = (said: string, rest: string): string =>
    `complete -c postern -n ${quoted(`__postern_said ${said}`)} ${rest}`;
  const firsts = [...groups].map(([first, verbs]) =>
    line('', `-f -a ${quoted(first)} -d ${quoted(helpOfFirst(verbs))}`),
  );
  const seconds = entries
    .filter(({ verb }) => verb.includes(' '))
    .map(({ verb, help }) => {
      const [first = '', second = ''] = verb.split(' ');
      return line(first, `-f -a ${quoted(second)} -d ${quoted(help)}`);
    });
  const rest = entries.flatMap(({ verb, flags, values }) => {
    const after = `__postern_after ${verb}`;
    return [
      `complete -c postern -n ${quoted(after)}${offer(values)}`,
      ...flags.map(
        flag =>
          `complete -c postern -n ${quoted(after)} ${flag.name.replace(/^--/, '-l ').replace(/^-(?=\w$)/, '-s ')} -d ${quoted(flag.help)}${flag.values ? ` -r${offer(flag.values)}` : ''}`,
      ),
    ];
  });
  return `# fish completion of postern: postern completion fish | source
function __postern_words
    set -l taken 0
    for word in (commandline -opc)[2..-1]
        if test $taken -eq 1
            set taken 0
            continue
        end
        switch $word
            case ${takingFlags(entries)
              .map(({ name }) => name)
              .join(' ')}
                set taken 1
            case '-*'
            case '*'
                printf '%s\\n' $word
        end
    end
end
function __postern_said
    set -l said (__postern_words)
    test "$said" = "$argv"
end
function __postern_after
    set -l said (__postern_words)
    set -l most (count $argv)
    test (count $said) -ge $most; and test "$said[1..$most]" = "$argv"
end
complete -c postern -e
complete -c postern -f
${[...firsts, ...seconds, ...rest].join('\n')}
`;
}
