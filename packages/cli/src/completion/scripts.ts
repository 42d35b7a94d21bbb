/**
 * What a shell evaluates. Each script asks the program for candidates (`value<TAB>description`, one a line) at every press of
 * the key, so that a plugin's flags are there as soon as it is installed; without candidates the shell completes paths.
 */
export const SCRIPTS = {
  bash: `_aiperf() {
  local IFS=$'\\n'
  COMPREPLY=($(aiperf completion --words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o default -F _aiperf aiperf
`,
  zsh: `#compdef aiperf
_aiperf() {
  local line tab=$'\\t'
  local -a found
  for line in "\${(@f)$(aiperf completion --words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] && found+=("\${\${line%%$tab*}//:/\\\\:}:\${line#*$tab}")
  done
  if (( \${#found} )); then _describe aiperf found; else _files; fi
}
if [[ $funcstack[1] == _aiperf ]]; then _aiperf "$@"; else compdef _aiperf aiperf; fi
`,
  fish: `function __aiperf
  set -l words (commandline -opc) (commandline -ct)
  set -l found (aiperf completion --words -- $words[2..-1] 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c aiperf -f -a '(__aiperf)'
`,
  // An empty argument does not reach programs from every PowerShell: `=`, of which nothing is begun either, stands for it.
  // Splatted, the `--` is an argument also where aiperf is a script and not a program.
  powershell: `Register-ArgumentCompleter -Native -CommandName aiperf -ScriptBlock {
  param($begun, $line, $cursor)
  $before = @($line.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { $_.ToString() })
  $last = if ($begun) { $begun } else { '=' }
  $words = @('completion', '--words', '--') + $before + @($last)
  aiperf @words 2>$null | ForEach-Object {
    $value, $description = $_ -split "\`t", 2
    [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $(if ($description) { $description } else { $value }))
  }
}
`,
} as const

export type Shell = keyof typeof SCRIPTS

/** Where each shell looks for a script of this program; PowerShell has one file for all that it reads. */
export const PLACES: Record<Shell, string> = {
  bash: '> ~/.local/share/bash-completion/completions/aiperf',
  zsh: '> "${fpath[1]}/_aiperf"',
  fish: '> ~/.config/fish/completions/aiperf.fish',
  powershell: '>> $PROFILE',
}
