/** Only the bundler reads stylesheets. */
declare module "*.css";
