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

// entry is a command as the scripts know it.
type entry struct{ Name, Usage, Flags string }

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
		list = append(list, entry{c.Name, c.Usage, strings.Join(flags, " ")})
	}
	return list
}

// scripts complete the first word by commands, words that begin with a dash by the flags of the
// command, and leave others to the shell, which completes files. They start no program: a
// completion is there at once, and one of another version cannot fail.
var scripts = map[string]string{
	"bash": `# quasistatic completion bash > /etc/bash_completion.d/quasistatic
_quasistatic() {
  local cur=${COMP_WORDS[COMP_CWORD]} words=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="{{range .}}{{.Name}} {{end}}"
  elif [ "${cur#-}" != "$cur" ]; then
    case ${COMP_WORDS[1]} in
{{- range .}}
      {{.Name}}) words="{{.Flags}}" ;;
{{- end}}
    esac
  fi
  if [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words" -- "$cur")); fi
}
complete -o default -F _quasistatic quasistatic
`,
	"zsh": `#compdef quasistatic
# quasistatic completion zsh > "${fpath[1]}/_quasistatic"
_quasistatic() {
  local -a list
  if (( CURRENT == 2 )); then
    list=({{range .}}
      {{quoted (printf "%s:%s" .Name .Usage)}}{{end}}
    )
    _describe command list
  elif [[ $words[CURRENT] == -* ]]; then
    case $words[2] in
{{- range .}}
      {{.Name}}) list=({{.Flags}}) ;;
{{- end}}
    esac
    compadd -a list
  else
    _files
  fi
}
if [ "$funcstack[1]" = "_quasistatic" ]; then _quasistatic "$@"; else compdef _quasistatic quasistatic; fi
`,
	"fish": `# quasistatic completion fish > ~/.config/fish/completions/quasistatic.fish
{{range .}}{{$name := .Name -}}
complete -c quasistatic -n __fish_use_subcommand -f -a {{.Name}} -d {{quoted .Usage}}
{{range fields .Flags -}}
complete -c quasistatic -n '__fish_seen_subcommand_from {{$name}}' -l {{slice . 2}}
{{end}}{{end}}`,
	"powershell": `# quasistatic completion powershell >> $PROFILE
Register-ArgumentCompleter -Native -CommandName quasistatic -ScriptBlock {
  param($word, $line, $cursor)
  $flags = @{
{{- range .}}
    {{.Name}} = '{{.Flags}}'
{{- end}}
  }
  $words = @($line.CommandElements | ForEach-Object { "$_" })
  $first = $words.Count -lt 2 -or ($words.Count -eq 2 -and $word -ne '')
  $list = if ($first) { $flags.Keys | Sort-Object } elseif ($word -like '-*') { "$($flags[$words[1]])" -split ' ' } else { @() }
  $list | Where-Object { $_ -like "$word*" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}
`,
}

// quoted makes one word of a text for shells of the family of sh, and for fish.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "’") + "'" }

// Completion writes the script of a shell.
func Completion(app *cli.App, shell string) ([]byte, error) {
	text, ok := scripts[shell]
	if !ok {
		return nil, fmt.Errorf("unknown shell %q%s", shell, nearest.Hint(shell, []string{"bash", "zsh", "fish", "powershell"}))
	}
	t, err := template.New(shell).Funcs(template.FuncMap{"quoted": quoted, "fields": strings.Fields}).Parse(text)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, entries(app))
	return b.Bytes(), err
}

func completion(inputError InputError) *cli.Command {
	return &cli.Command{
		Name:        "completion",
		Usage:       "print a script that completes commands and flags in a shell",
		ArgsUsage:   "SHELL",
		Description: "SHELL is bash, zsh, fish or powershell; the first line of the script says where it belongs.",
		Action: func(c *cli.Context) error {
			if c.Args().Len() != 1 {
				return inputError("completion: found %d arguments, want one of bash, zsh, fish and powershell", c.Args().Len())
			}
			script, err := Completion(c.App, c.Args().First())
			if err != nil {
				return inputError("completion: %v", err)
			}
			_, err = c.App.Writer.Write(script)
			return err
		},
	}
}
