import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "../shared/report/page/report.css";
import "../shared/report/page/list.css";
import "../shared/report/page/viewer.css";
import { App } from "./app.tsx";
import "./app.css";
import { applyTheme, storedTheme } from "./ui/theme.ts";

applyTheme(storedTheme());

const root = document.getElementById("app");
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
