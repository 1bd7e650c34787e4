import type { CommandWords, OptionWords, ProgramWords } from "./program-words.ts";

/** The completion scripts by shell. */
export const SHELLS = new Map([
  ["bash", bash],
  ["zsh", zsh],
  ["fish", fish],
]);

const ROUTES = "vrs completion --routes 2>/dev/null";
const flagsOf = (options: OptionWords[]) => options.flatMap(({ flags }) => flags).join(" ");

/** Works without bash-completion, which not every machine has. */
function bash({ options, commands }: ProgramWords): string {
  return `# Completes vrs in bash.
_vrs() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command= each
  for each in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $each in -*) ;; *) command=$each; break ;; esac
  done
  local words=
  case $command in
${commands.map(bashCommand).join("\n")}
    '') words='${commands.map(({ name }) => name).join(" ")}' ;;
  esac
  case $word in
    -*) words+=' ${flagsOf(options)}' ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _vrs vrs
`;
}

function bashCommand({ name, options, choices, takesRoutes }: CommandWords): string {
  const values = options.filter(({ takesValue }) => takesValue);
  const byValue = values.map(({ flags, choices: allowed }) => {
    // Without a completion of ours, the shell completes files.
    const offered =
      allowed.length > 0 ? `COMPREPLY=($(compgen -W '${allowed.join(" ")}' -- "$word"))` : "COMPREPLY=()";
    return `        ${flags.join("|")}) ${offered}; return ;;`;
  });
  const beforeWord = byValue.length > 0 ? `\n      case $before in\n${byValue.join("\n")}\n      esac` : "";
  const routes = takesRoutes ? `$(${ROUTES})` : "";
  return `    ${name})${beforeWord}
      case $word in
        -*) words='${flagsOf(options)}' ;;
        *) words="${[...choices, routes].filter(Boolean).join(" ")}" ;;
      esac ;;`;
}

function zsh({ options, commands }: ProgramWords): string {
  return `#compdef vrs
# Completes vrs in zsh.
_vrs() {
  local context state state_descr line
  typeset -A opt_args
  _arguments -C \\
${options.map(option => `    ${zshOption(option)} \\`).join("\n")}
    '1: :->command' '*:: :->rest'
  case $state in
    command)
      local -a commands=(
${commands.map(({ name, about }) => `        ${quote(`${name}:${about}`)}`).join("\n")}
      )
      _describe command commands ;;
    rest)
      case $words[1] in
${commands.map(command => zshCommand(command, options)).join("\n")}
      esac ;;
  esac
}
compdef _vrs vrs 2>/dev/null
[ "$funcstack[1]" = _vrs ] && _vrs "$@"
`;
}

function zshCommand({ name, options, choices, takesRoutes }: CommandWords, common: OptionWords[]): string {
  const rest = takesRoutes
    ? [`'*:route:{compadd -- $\{(f)"$(${ROUTES})"}}'`]
    : choices.length > 0
      ? [quote(`1: :(${choices.join(" ")})`)]
      : [];
  const all = [...options, ...common.filter(({ flags }) => !flags.includes("--help"))];
  return `        ${name}) _arguments ${[...all.map(zshOption), ...rest].join(" ")} ;;`;
}

function zshOption({ flags, about, takesValue, choices }: OptionWords): string {
  const text = about.replace(/[[\]:]/g, "\\$&");
  const value = !takesValue ? "" : choices.length > 0 ? `:value:(${choices.join(" ")})` : ":value:_files";
  const [first = "", ...others] = flags;
  if (others.length === 0) return quote(`${first}[${text}]${value}`);
  return `${quote(`(${flags.join(" ")})`)}{${flags.join(",")}}${quote(`[${text}]${value}`)}`;
}

function fish({ options, commands }: ProgramWords): string {
  const lines = [
    "# Completes vrs in fish.",
    "complete -c vrs -f",
    ...options.map(option => fishOption(option, "")),
    ...commands.flatMap(({ name, about, options: own, choices, takesRoutes }) => {
      const after = `-n '__fish_seen_subcommand_from ${name}'`;
      return [
        `complete -c vrs -n __fish_use_subcommand -a ${name} -d ${fishQuote(about)}`,
        ...own.map(option => fishOption(option, after)),
        ...(choices.length > 0 ? [`complete -c vrs ${after} -a ${fishQuote(choices.join(" "))}`] : []),
        ...(takesRoutes ? [`complete -c vrs ${after} -a '(${ROUTES})'`] : []),
      ];
    }),
  ];
  return `${lines.join("\n")}\n`;
}

function fishOption({ flags, about, takesValue, choices }: OptionWords, condition: string): string {
  const names = flags.map(flag => (flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const value = !takesValue ? "" : choices.length > 0 ? `-x -a ${fishQuote(choices.join(" "))}` : "-r -F";
  return ["complete -c vrs", condition, ...names, value, `-d ${fishQuote(about)}`].filter(Boolean).join(" ");
}

/** Quotes a text for a shell. */
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const fishQuote = (text: string) => `'${text.replace(/[\\']/g, "\\$&")}'`;
