import { pages, type Site } from "./site.ts";

/** Demo pages of UI kits, carousels, animations and players. */
export const COMPONENTS: Site[] = [
  {
    name: "uikit",
    package: "uikit",
    root: "",
    pages: pages(
      `accordion animation article base card column comment cover drop filter form grid-masonry grid-parallax icon
      modal nav navbar parallax position scrollspy section slider slideshow sortable sticky sticky-parallax switcher
      table transition video`,
      "tests/",
    ),
    excluded: [{ pages: pages("tests/countdown"), because: "shows the current time" }],
    supplements: {
      // The package's build creates its own loader, which is not published.
      "tests/js/test.js": {
        text: `document.write('<link rel="stylesheet" href="../dist/css/uikit.css"><script src="../dist/js/uikit.js"><\\/script><script src="../dist/js/uikit-icons.js"><\\/script>');`,
      },
    },
  },
  {
    name: "flexslider",
    package: "flexslider",
    root: "",
    pages: pages(
      `asnavfor-rtl basic-carousel basic-carousel-rtl basic-slider-with-caption carousel-min-max index
      thumbnail-controlnav thumbnail-slider`,
      "demo/",
    ),
    supplements: {
      "demo/js/libs/jquery-1.7.min.js": { package: "admin-lte", file: "plugins/jQuery/jquery-2.2.3.min.js" },
    },
  },
  {
    name: "owl",
    package: "owl.carousel",
    root: "docs",
    pages: pages(
      "animate autoheight autoplay autowidth basic center demos lazyLoad merge mousewheel responsive rtl stagepadding urlhashnav video",
      "demos/",
    ),
    excluded: [{ pages: pages("demos/test"), because: "is empty" }],
  },
  { name: "aos", package: "aos", root: "", pages: pages("demo/simple") },
  { name: "wow", package: "wow.js", root: "", pages: pages("demo") },
  { name: "typed", package: "typed.js", root: "", pages: pages("index docs/index") },
  { name: "impress", package: "impress.js", root: "", pages: pages("index") },
  { name: "reveal", package: "reveal.js", root: "", pages: pages("demo index") },
  { name: "mediaelement", package: "mediaelement", root: "", pages: pages("demo/index") },
];
