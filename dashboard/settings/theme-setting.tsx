import { useState } from "react";
import { accountTexts } from "../texts/settings/settings.ts";
import { Field } from "../ui/parts.tsx";
import { chooseTheme, storedTheme, THEMES } from "../ui/theme.ts";

/** Selects the theme of the dashboard in this browser. */
export function ThemeSetting() {
  const [theme, setTheme] = useState(storedTheme);
  return (
    <section aria-labelledby="appearance" className="section">
      <h2 id="appearance">{accountTexts.appearance}</h2>
      <div className="line-form">
        <Field label={accountTexts.theme} hint={accountTexts.themeHint}>
          <select
            value={theme}
            onChange={({ currentTarget }) => {
              const chosen = THEMES.find(name => name === currentTarget.value) ?? "system";
              chooseTheme(chosen);
              setTheme(chosen);
            }}
          >
            {THEMES.map(name => (
              <option key={name} value={name}>
                {accountTexts.themes[name]}
              </option>
            ))}
          </select>
        </Field>
      </div>
    </section>
  );
}
