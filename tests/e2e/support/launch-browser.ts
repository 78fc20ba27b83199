import { type Browser, chromium } from 'playwright-core';
import { findChromium } from './find-chromium.ts';

/**
 * What the browser does without. The first two draw the suggestions below its address bar, which each new
 * profile prepares in a process of its own, for half of the processor time of a visit. The others are those
 * of playwright-core 1.65: the switch takes the place of its own.
 */
const DISABLED_FEATURES = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'TcpPortRandomizationWin',
  'ThirdPartyStoragePartitioning',
];

/** Chromium, as tests, benches and pictures use it; findChromium has found one. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium(process.env)!,
    args: ['--no-sandbox', '--disable-dev-shm-usage', `--disable-features=${DISABLED_FEATURES.join(',')}`],
  });
}
