/** What a project's own files import from `vrs`. */
export * from "../../shared/project-config/define-config.ts";
