// The completion script of zsh.
import { byFirstWord, helpOfFirst, takingFlags, type Values, type VerbEntry } from './model.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
/** `name:help` as _describe reads it. */
const described = (rows: readonly (readonly [name: string, help: string])[]): string =>
  rows.map(([name, help]) => quoted(`${name.replaceAll(':', '\\:')}:${help}`)).join(' ');
const offer = (values: Values): string =>
  values.kind === 'words' || values.kind === 'listed'
    ? `compadd ${'isOpen' in values ? "-S '' " : ''}-- ${values.kind === 'words' ? values.words.join(' ') : `\${(f)"$(${values.command})"}`}`
    : values.kind === 'path'
      ? '_files'
      : ':';

export function zshScript(entries: readonly VerbEntry[]): string {
  const taking = takingFlags(entries);
  const groups = byFirstWord(entries);
  const seconds = [...groups].filter(([, verbs]) => verbs.some(({ verb }) => verb.includes(' ')));
  return `#compdef postern
# zsh completion of postern: source <(postern completion zsh), or this file as _postern in a folder of $fpath
_postern() {
  local cur=\${words[CURRENT]} prev=\${words[CURRENT-1]} word
  local -i taken=0 at
  local -a said rows
  for ((at = 2; at < CURRENT; at++)); do
    word=\${words[at]}
    if ((taken)); then taken=0; continue; fi
    case $word in
      (${taking.map(({ name }) => name).join('|')}) taken=1 ;;
      (-*) ;;
      (*) said+=("$word") ;;
    esac
  done
  case $prev in
${taking.map(({ name, values }) => `    (${name}) ${offer(values ?? { kind: 'free' })}; return ;;`).join('\n')}
  esac
  if [[ \${#said} -eq 0 && $cur != -* ]]; then
    rows=(${described([...groups].map(([first, verbs]) => [first, helpOfFirst(verbs)]))})
    _describe verb rows
    return
  fi
  if [[ \${#said} -eq 1 && $cur != -* ]]; then
    case \${said[1]} in
${seconds
  .map(
    ([first, verbs]) =>
      `      (${first}) rows=(${described(verbs.map(({ verb, help }) => [verb.split(' ')[1] ?? '', help]))}); _describe verb rows; return ;;`,
  )
  .join('\n')}
    esac
  fi
  case "\${said[1]} \${said[2]}" in
${entries
  .map(
    ({ verb, flags, values }) =>
      `    (${verb.includes(' ') ? quoted(verb) : `${quoted(`${verb} `)}*`}) if [[ $cur == -* ]]; then rows=(${described(flags.map(({ name, help }) => [name, help]))}); _describe flag rows; else ${offer(values)}; fi ;;`,
  )
  .join('\n')}
  esac
}
if [[ $funcstack[1] == _postern ]]; then _postern "$@"; else compdef _postern postern; fi
`;
}
