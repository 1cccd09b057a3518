export const shells = ['bash', 'zsh'] as const;
export type Shell = (typeof shells)[number];

/** The script that makes a shell ask `slipway __complete` what fits. */
export const completionScripts: Record<Shell, string> = {
  bash: `# Completion of slipway in bash. To use it now: source <(slipway completion bash)
_slipway() {
  local current="\${COMP_WORDS[COMP_CWORD]}" word
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    if [[ "$word" == ':files' ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current")
      return
    fi
    COMPREPLY+=("$word")
  done < <("\${COMP_WORDS[0]}" __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [[ \${#COMPREPLY[@]} -eq 1 && "\${COMPREPLY[0]}" == */ ]]; then
    compopt -o nospace 2>/dev/null
  fi
}
complete -F _slipway slipway kubectl-slipway
`,
  zsh: `#compdef slipway kubectl-slipway
# Completion of slipway in zsh. To use it now: source <(slipway completion zsh)
_slipway() {
  local line word about
  local -a described unfinished
  for line in "\${(@f)$("\${words[1]}" __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -z "$line" ]] && continue
    if [[ "$line" == ':files' ]]; then
      _files
      return
    fi
    word="\${line%%$'\\t'*}"
    if [[ "$word" == */ ]]; then
      unfinished+=("$word")
    else
      about="\${line#*$'\\t'}"
      described+=("\${word//:/\\\\:}\${about:+:$about}")
    fi
  done
  (( \${#unfinished} )) && compadd -S '' -a unfinished
  (( \${#described} )) && _describe slipway described
}
if [[ "\${funcstack[1]}" == '_slipway' ]]; then
  _slipway "$@"
else
  compdef _slipway slipway kubectl-slipway
fi
`,
};
