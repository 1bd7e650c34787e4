import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import "./code-colors.css";
import "./theme.css";

/** An error's `type` is `/docs#<code>`, a promise of the API; its text is in the reference. */
const ERROR_CODE = /^#[a-z]+(?:_[a-z]+)*$/;

export default {
  extends: DefaultTheme,
  enhanceApp({ siteData }) {
    if (import.meta.env.SSR) return;
    const { hash, pathname } = window.location;
    const isHome = pathname.replace(/\/?(?:index(?:\.html)?)?$/, "/") === siteData.value.base;
    const isOwn = ["#tutorials", "#guides", "#reference", "#explanation", "#contributing"].includes(hash);
    if (isHome && !isOwn && ERROR_CODE.test(hash))
      window.location.replace(`${siteData.value.base}reference/errors${hash}`);
  },
} satisfies Theme;
