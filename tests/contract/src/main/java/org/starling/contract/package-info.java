/**
 * What every engine promises, as tests written once: subclass {@link
 * org.starling.contract.EngineContract} for each engine and precision.
 */
package org.starling.contract;
