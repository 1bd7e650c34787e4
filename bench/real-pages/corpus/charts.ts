import { pages, type Site } from "./site.ts";

const DRAWS_RANDOM = "draws random data or a random layout each time";
const NEEDS_OUTSIDE = "fails without scripts of other hosts";

/** Demo pages of drawing libraries: canvas and SVG charts, networks, timelines, drawings. */
export const CHARTS: Site[] = [
  {
    name: "dygraphs",
    package: "dygraphs",
    root: "",
    pages: pages(
      `annotation avoidMinZero charting-combinations custom-circles daylight-savings dense-fill draw-points fillGraph
      independent-series interaction label-div logscale multi-scale per-series plotters range-selector stacked steps
      stock synchronize temperature-sf-ny two-axes`,
      "tests/",
    ),
    excluded: [
      { pages: pages("dynamic-update series-highlight", "tests/"), because: DRAWS_RANDOM },
      { pages: pages("gviz hairlines", "tests/"), because: NEEDS_OUTSIDE },
    ],
  },
  {
    name: "vis",
    package: "vis",
    root: "",
    pages: pages(
      `examples/graph2d/01_basic examples/graph2d/02_bars examples/graph2d/03_groups examples/graph2d/05_bothAxis
      examples/graph2d/11_barsSideBySideGroups examples/graph2d/14_toggleGroups examples/graph2d/19_labels
      examples/graph2d/20_shading examples/graph3d/01_basics examples/graph3d/10_styling
      examples/network/layout/hierarchicalLayoutUserdefined examples/network/layout/randomSeed
      examples/timeline/basicUsage examples/timeline/groups/subgroups examples/timeline/items/htmlContents
      examples/timeline/items/tooltip examples/timeline/styling/itemClassNames docs/graph2d/index docs/graph3d/index`,
    ),
    excluded: [
      {
        pages: pages(
          `graph2d/15_streaming_data graph2d/18_scatterplot graph3d/07_dot_cloud_colors network/nodeStyles/shapes
          network/basicUsage`,
          "examples/",
        ),
        because: DRAWS_RANDOM,
      },
      { pages: pages("examples/timeline/interaction/rollingMode"), because: "shows the current time" },
      { pages: pages("examples/graph2d/08_performance examples/timeline/other/rtl"), because: NEEDS_OUTSIDE },
    ],
  },
  {
    name: "snapsvg",
    package: "snapsvg",
    root: "",
    pages: pages(`
      demos/pattern/index demos/snap-mascot/crocodile-1 demos/snap-mascot/crocodile-2 demos/snap-mascot/index
      demos/snap-mascot/snap-logo demos/tutorial/2 demos/tutorial/index
    `),
    excluded: [
      { pages: pages("demos/animated-game/index demos/snap-ad/site/index"), because: DRAWS_RANDOM },
      { pages: pages("demos/clock/index"), because: "shows the current time" },
      { pages: pages("demos/animated-map/index"), because: "its map is not in the package" },
    ],
  },
];
