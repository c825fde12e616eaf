package about

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/internal/nearest"
)

// Words are those beside commands and flags that a script completes: names of built-in cases, where a command takes a
// CASE, and keys of the case format, after --set.
type Words func() (cases, keys []string)

// entry is a command as the scripts know it.
type entry struct{ Name, Usage, Flags, Arguments string }

// vocabulary is what the scripts are made of.
type vocabulary struct {
	Commands []entry
	Cases    string // their names, with spaces between
	Keys     string // of a case, with = after each
}

// Takers are the commands that take a CASE, with a text between.
func (v vocabulary) Takers(between string) string {
	var list []string
	for _, c := range v.Commands {
		if strings.HasPrefix(c.Arguments, "CASE") {
			list = append(list, c.Name)
		}
	}
	return strings.Join(list, between)
}

// entries lists the commands and their flags with dashes, in the order of the help.
func entries(app *cli.App) []entry {
	var list []entry
	for _, c := range app.VisibleCommands() {
		var flags []string
		for _, f := range c.VisibleFlags() {
			flags = append(flags, "--"+f.Names()[0])
		}
		if !slices.Contains(flags, "--help") {
			flags = append(flags, "--help")
		}
		list = append(list, entry{c.Name, c.Usage, strings.Join(flags, " "), c.ArgsUsage})
	}
	return list
}

// scripts complete the first word by commands, words that begin with a dash by the flags of the
// command, what follows --set by keys, and a CASE by the built-in ones and by files; others are left
// to the shell, which completes files. They start no program: a completion is there at once, and one
// of another version cannot fail.
var scripts = map[string]string{
	"bash": `# quasistatic completion bash > /etc/bash_completion.d/quasistatic
_quasistatic() {
  local cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words= files=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="{{range .Commands}}{{.Name}} {{end}}"
  elif [ "${cur#-}" != "$cur" ]; then
    case ${COMP_WORDS[1]} in
{{- range .Commands}}
      {{.Name}}) words="{{.Flags}}" ;;
{{- end}}
    esac
  elif [ "$before" = --set ]; then
    words="{{.Keys}}"
    compopt -o nospace 2>/dev/null
  else
    case ${COMP_WORDS[1]} in
      {{.Takers "|"}}) words="{{.Cases}}" files=y ;;
    esac
  fi
  if [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words" -- "$cur")); fi
  if [ -n "$files" ]; then
    local IFS=$'\n'
    COMPREPLY+=($(compgen -f -- "$cur"))
    compopt -o filenames 2>/dev/null
  fi
}
complete -o default -F _quasistatic quasistatic
`,
	"zsh": `#compdef quasistatic
# quasistatic completion zsh > "${fpath[1]}/_quasistatic"
_quasistatic() {
  local -a list
  if (( CURRENT == 2 )); then
    list=({{range .Commands}}
      {{quoted (printf "%s:%s" .Name .Usage)}}{{end}}
    )
    _describe command list
  elif [[ $words[CURRENT] == -* ]]; then
    case $words[2] in
{{- range .Commands}}
      {{.Name}}) list=({{.Flags}}) ;;
{{- end}}
    esac
    compadd -a list
  elif [[ $words[CURRENT-1] == --set ]]; then
    compadd -S '' {{.Keys}}
  else
    case $words[2] in
      {{.Takers "|"}}) compadd {{.Cases}} ;;
    esac
    _files
  fi
}
if [ "$funcstack[1]" = "_quasistatic" ]; then _quasistatic "$@"; else compdef _quasistatic quasistatic; fi
`,
	"fish": `# quasistatic completion fish > ~/.config/fish/completions/quasistatic.fish
{{range .Commands}}{{$name := .Name -}}
complete -c quasistatic -n __fish_use_subcommand -f -a {{.Name}} -d {{quoted .Usage}}
{{range fields .Flags -}}
complete -c quasistatic -n '__fish_seen_subcommand_from {{$name}}' -l {{slice . 2}}
{{end}}{{end}}complete -c quasistatic -n '__fish_seen_subcommand_from {{.Takers " "}}' -a '{{.Cases}}'
complete -c quasistatic -n '__fish_seen_subcommand_from {{.Takers " "}}' -l set -x -a '{{.Keys}}'
`,
	"powershell": `# quasistatic completion powershell >> $PROFILE
Register-ArgumentCompleter -Native -CommandName quasistatic -ScriptBlock {
  param($word, $line, $cursor)
  $flags = @{
{{- range .Commands}}
    {{.Name}} = '{{.Flags}}'
{{- end}}
  }
  $words = @($line.CommandElements | ForEach-Object { "$_" })
  $before = $words[$words.Count - $(if ($word -ne '') { 2 } else { 1 })]
  $first = $words.Count -lt 2 -or ($words.Count -eq 2 -and $word -ne '')
  $list = if ($first) { $flags.Keys | Sort-Object } elseif ($word -like '-*') { "$($flags[$words[1]])" -split ' ' }
    elseif ($before -eq '--set') { '{{.Keys}}' -split ' ' }
    elseif ('{{.Takers " "}}' -split ' ' -contains $words[1]) { '{{.Cases}}' -split ' ' } else { @() }
  $list | Where-Object { $_ -like "$word*" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}
`,
}

// quoted makes one word of a text for shells of the family of sh, and for fish.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "’") + "'" }

// Completion writes the script of a shell.
func Completion(app *cli.App, shell string, words Words) ([]byte, error) {
	text, ok := scripts[shell]
	if !ok {
		return nil, fmt.Errorf("unknown shell %q%s", shell, nearest.Hint(shell, []string{"bash", "zsh", "fish", "powershell"}))
	}
	t, err := template.New(shell).Funcs(template.FuncMap{"quoted": quoted, "fields": strings.Fields}).Parse(text)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	cases, keys := words()
	err = t.Execute(&b, vocabulary{entries(app), strings.Join(cases, " "), strings.Join(keys, "= ") + "="})
	return b.Bytes(), err
}

func completion(inputError InputError, words Words) *cli.Command {
	return &cli.Command{
		Name:        "completion",
		Usage:       "print a script that completes commands, flags, cases and keys in a shell",
		ArgsUsage:   "SHELL",
		Description: "SHELL is bash, zsh, fish or powershell; the first line of the script says where it belongs.",
		Action: func(c *cli.Context) error {
			if c.Args().Len() != 1 {
				return inputError("completion: found %d arguments, want one of bash, zsh, fish and powershell", c.Args().Len())
			}
			script, err := Completion(c.App, c.Args().First(), words)
			if err != nil {
				return inputError("completion: %v", err)
			}
			_, err = c.App.Writer.Write(script)
			return err
		},
	}
}
