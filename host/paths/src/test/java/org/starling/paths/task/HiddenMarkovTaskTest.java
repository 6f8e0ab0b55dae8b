package org.starling.paths.task;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The published data, number by number. */
class HiddenMarkovTaskTest {
  private static final HiddenMarkovTask TASK = HiddenMarkovTask.standard(1);

  @Test
  void uniformNumbersAreThoseOfTheGenerator() {
    MersenneTwister random = new MersenneTwister(27);
    assertEquals(0.8774506954200296, random.uniform(), 0);
    assertEquals(0.2674908232309611, random.uniform(), 0);
    assertEquals(0.09365485570796572, random.uniform(), 0);
  }

  @Test
  void hiddenStatesAreThePublishedOnes() {
    int[] train = TASK.states(100, new MersenneTwister(27));
    int[] test = TASK.states(1000, new MersenneTwister(59));
    assertEquals(-72, Arrays.stream(train).sum());
    assertEquals(346, Arrays.stream(test).sum());
    assertEquals(1012, stays(train, 0, 50));
    assertEquals(415, stays(train, 50, 100));
    assertEquals(10203, stays(test, 0, 500));
    assertEquals(4308, stays(test, 500, 1000));
  }

  private static int stays(int[] states, int from, int to) {
    int stays = 0;
    for (int a = from; a < to; a++) {
      for (int t = 1; t < 30; t++) {
        stays += states[a * 30 + t] == states[a * 30 + t - 1] ? 1 : 0;
      }
    }
    return stays;
  }

  @Test
  void inputsHaveThePublishedSums() {
    double[] train = TASK.draw(100, 27).inputs().x();
    assertEquals(427198.1085637859, Arrays.stream(train).sum(), 1e-9 * 427198);
    assertEquals(4270632.528887158, Arrays.stream(TASK.draw(1000, 59).inputs().x()).sum(), 4e-3);
    assertEquals(1.6084414935410303, train[231], 1e-12);
    assertEquals(-0.18880197773959617, train[2 * 231], 1e-12);
    assertEquals(0.8440280077006717, train[3 * 231], 1e-12);
  }

  @Test
  void randomHeadsHaveThePublishedSums() {
    assertEquals(166.37981041854022, Arrays.stream(TASK.randomHead(10, 1, 147)).sum(), 1e-9 * 166);
    assertEquals(-329.3983022099906, Arrays.stream(TASK.randomHead(10, 1, 247)).sum(), 1e-9 * 329);
  }
}
