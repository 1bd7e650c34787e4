import { pages, type Site } from "./site.ts";

const SHOWS_TIME = "shows the current date";
const DRAWS_RANDOM = "draws random data each time";
const NEEDS_OUTSIDE = "shows only what it loads from other hosts";

/** Admin templates and landing pages. */
export const TEMPLATES: Site[] = [
  {
    name: "tabler",
    package: "@tabler/preview",
    root: "dist",
    pages: pages(`
      accordion activity alerts avatars badges buttons cards cards-masonry carousel changelog charts chat colors
      datagrid datatables dropdowns emails empty error-404 faq flags form-elements gallery icons index inline-player
      invoice job-listing layout-combo layout-fluid-vertical layout-navbar-dark lightbox lists maps-vector markdown
      marketing/about marketing/hero marketing/index marketing/pricing marketing/real-estate marketing/testimonials
      modals music navigation payment-providers photogrid placeholder pricing profile search-results settings
      sign-in-cover sign-in-illustration signatures social-icons stars-rating steps tables tabs tasks
      terms-of-service text-features typography uptime users widgets wizard wysiwyg
    `),
    excluded: [
      { pages: pages("layout-rtl"), because: "its style sheet is not in the package" },
      { pages: pages("maps map-fullsize"), because: NEEDS_OUTSIDE },
      { pages: pages("page-loader turbo-loader"), because: "shows a loading state that never ends" },
    ],
  },
  {
    name: "admin-lte",
    package: "admin-lte",
    root: "",
    pages: pages(`
      index2 starter documentation/index pages/widgets pages/UI/buttons pages/UI/general pages/UI/icons
      pages/UI/sliders pages/UI/timeline pages/charts/chartjs pages/examples/404 pages/examples/invoice
      pages/examples/lockscreen pages/examples/login pages/examples/profile pages/forms/advanced pages/forms/general
      pages/layout/boxed pages/layout/fixed pages/layout/top-nav pages/mailbox/compose pages/mailbox/mailbox
      pages/mailbox/read-mail pages/tables/data pages/tables/simple plugins/ckeditor/samples/index
    `),
    excluded: [
      { pages: pages("pages/calendar"), because: SHOWS_TIME },
      { pages: pages("pages/charts/flot pages/charts/inline"), because: DRAWS_RANDOM },
      {
        pages: pages("index pages/charts/morris pages/forms/editors"),
        because: "fails without scripts of other hosts",
      },
    ],
  },
  {
    name: "black-dashboard",
    package: "black-dashboard",
    root: "",
    pages: pages("dashboard icons notifications rtl tables typography user", "examples/"),
    excluded: [{ pages: pages("examples/map docs/documentation"), because: NEEDS_OUTSIDE }],
  },
  {
    name: "material-dashboard",
    package: "material-dashboard",
    root: "",
    pages: pages(
      "billing dashboard icons map notifications profile rtl sign-in tables typography virtual-reality",
      "pages/",
    ),
  },
  {
    name: "now-ui-kit",
    package: "now-ui-kit",
    root: "",
    pages: pages("index nucleo-icons examples/landing-page examples/login-page examples/profile-page"),
  },
  {
    name: "sb-admin-2",
    package: "startbootstrap-sb-admin-2",
    root: "",
    pages: pages(`
      404 buttons cards charts index login register tables utilities-animation utilities-border utilities-color
      utilities-other
    `),
  },
  { name: "coming-soon", package: "startbootstrap-coming-soon", root: "", pages: pages("index") },
  { name: "creative", package: "startbootstrap-creative", root: "", pages: pages("index") },
];
