// The completion script of bash.
import { byFirstWord, takingFlags, type Values, type VerbEntry } from './model.ts';

const offer = (values: Values): string =>
  values.kind === 'words' || values.kind === 'listed'
    ? `${'isOpen' in values ? 'compopt -o nospace; ' : ''}mapfile -t COMPREPLY < <(compgen -W ${values.kind === 'words' ? `'${values.words.join(' ')}'` : `"$(${values.command})"`} -- "$cur")`
    : values.kind === 'path'
      ? 'compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$cur")'
      : ':';
const words = (list: readonly string[]): Values => ({ kind: 'words', words: list });

/** Needs bash 4.4 or later. */
export function bashScript(entries: readonly VerbEntry[]): string {
  const taking = takingFlags(entries);
  const groups = byFirstWord(entries);
  const seconds = [...groups].filter(([, verbs]) => verbs.some(({ verb }) => verb.includes(' ')));
  return `# bash completion of postern: source <(postern completion bash)
_postern() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} word taken=0 at
  local -a said=()
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; at++)); do
    word=\${COMP_WORDS[at]}
    if ((taken)); then taken=0; continue; fi
    case $word in
      ${taking.map(({ name }) => name).join('|')}) taken=1 ;;
      -*) ;;
      *) said+=("$word") ;;
    esac
  done
  case $prev in
${taking.map(({ name, values }) => `    ${name}) ${offer(values ?? words([]))}; return ;;`).join('\n')}
  esac
  if [[ \${#said[@]} -eq 0 && $cur != -* ]]; then
    ${offer(words([...groups.keys()]))}
    return
  fi
  if [[ \${#said[@]} -eq 1 && $cur != -* ]]; then
    case \${said[0]} in
${seconds.map(([first, verbs]) => `      ${first}) ${offer(words(verbs.map(({ verb }) => verb.split(' ')[1] ?? '')))}; return ;;`).join('\n')}
    esac
  fi
  case "\${said[0]} \${said[1]}" in
${entries
  .map(
    ({ verb, flags, values }) =>
      `    ${verb.includes(' ') ? `'${verb}'` : `'${verb} '*`}) if [[ $cur == -* ]]; then ${offer(words(flags.map(({ name }) => name)))}; else ${offer(values)}; fi ;;`,
  )
  .join('\n')}
  esac
}
complete -F _postern postern
`;
}
