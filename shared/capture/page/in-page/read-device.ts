/** What Playwright emulates for a page, besides the size of its window. */
interface Device {
  deviceScaleFactor: number;
  mobile: boolean;
  screenWidth: number;
  screenHeight: number;
  screenOrientation: { type: "portraitPrimary" | "landscapePrimary"; angle: number };
}

/** Reads the emulated device. It is sent to the page as text: it must use nothing from outside its body. */
export function readDevice(): Device {
  // Chromium has this event on mobile devices only.
  const mobile = "onorientationchange" in window;
  const { width: screenWidth, height: screenHeight } = screen;
  const isPortrait = screen.orientation.type.startsWith("portrait");
  return {
    ...{ deviceScaleFactor: devicePixelRatio, mobile, screenWidth, screenHeight },
    screenOrientation: {
      type: isPortrait ? "portraitPrimary" : "landscapePrimary",
      angle: screen.orientation.angle,
    },
  };
}
