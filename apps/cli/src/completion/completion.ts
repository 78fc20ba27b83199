import type { Terminal } from '../terminal/terminal.ts';
import type { Shell } from './shells.ts';

// Each script asks `waymark complete` for the next words, and offers files where it prints none.
// macOS has bash 3.2, and a sed that does not know \t.
const scripts: Record<Shell, string> = {
  bash: `_waymark() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(waymark complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _waymark waymark`,
  zsh: `#compdef waymark
_waymark() {
  local -a found
  found=(\${(f)"$(waymark complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null | sed -e 's/:/\\\\:/g' -e $'s/\\t/:/')"})
  if (( $#found )); then _describe waymark found; else _files; fi
}
compdef _waymark waymark`,
  fish: `complete -c waymark -f -a '(waymark complete -- (commandline -opc)[2..] (commandline -ct))'
complete -c waymark -F -n 'test -z "$(waymark complete -- (commandline -opc)[2..] (commandline -ct))"'`,
};

/** Prints the script with which a shell completes the words of `waymark`. */
export function printCompletion(shell: Shell, terminal: Terminal): void {
  terminal.out(scripts[shell]);
}
